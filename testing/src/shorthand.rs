//! A whole test from one function.

/// A test of a function of a slice, `fn claim(x: &[f64]) -> f64 { .. } at [..], [..];`, in both modes at each point.
#[macro_export]
macro_rules! functional {
    ($($(#[$meta:meta])* fn $name:ident($x:ident: &[$float:ty]) -> $out:ty { $($body:tt)* } at $($point:expr),+;)+) => {$(
        #[test]
        fn $name() {
            #[::cotangent::autodiff(forward, Forward, Dual, Dual)]
            #[::cotangent::autodiff(reverse, Reverse, Duplicated, Active)]
            $(#[$meta])*
            fn primal($x: &[$float]) -> $out {
                $($body)*
            }
            $($crate::check::functional::<$float>(&$point, primal, forward, reverse);)+
        }
    )+};
}

/// A test of a function of one number, `fn claim(x: f64) -> f64 { .. } at 0.3, 1.0;`, in both modes at each point.
#[macro_export]
macro_rules! scalar {
    ($($(#[$meta:meta])* fn $name:ident($x:ident: $float:ty) -> $out:ty { $($body:tt)* } at $($point:expr),+;)+) => {$(
        #[test]
        fn $name() {
            #[::cotangent::autodiff(forward, Forward, Dual, Dual)]
            #[::cotangent::autodiff(reverse, Reverse, Active, Active)]
            $(#[$meta])*
            fn primal($x: $float) -> $out {
                $($body)*
            }
            $($crate::check::scalar::<$float>($point, primal, forward, reverse);)+
        }
    )+};
}

/// A test of a map between slices, `fn claim(x: &[f64], y: &mut [f64]) { .. } at [..] => 3;`, in both modes; after
/// the arrow the number of outputs.
#[macro_export]
macro_rules! map {
    ($($(#[$meta:meta])* fn $name:ident($x:ident: &[f64], $y:ident: &mut [f64]) { $($body:tt)* }
       at $($point:expr => $outputs:expr),+;)+) => {$(
        #[test]
        fn $name() {
            #[::cotangent::autodiff(forward, Forward, Dual, Dual)]
            #[::cotangent::autodiff(reverse, Reverse, Duplicated, Duplicated)]
            $(#[$meta])*
            fn primal($x: &[f64], $y: &mut [f64]) {
                $($body)*
            }
            $($crate::check::map(&$point, $outputs, primal, forward, reverse);)+
        }
    )+};
}

/// A test of a map that overwrites its argument, `fn claim(x: &mut [f64]) { .. } at [..];`, in both modes.
#[macro_export]
macro_rules! in_place {
    ($($(#[$meta:meta])* fn $name:ident($x:ident: &mut [f64]) { $($body:tt)* } at $($point:expr),+;)+) => {$(
        #[test]
        fn $name() {
            #[::cotangent::autodiff(forward, Forward, Dual)]
            #[::cotangent::autodiff(reverse, Reverse, Duplicated)]
            $(#[$meta])*
            fn primal($x: &mut [f64]) {
                $($body)*
            }
            $($crate::check::in_place(&$point, primal, forward, reverse);)+
        }
    )+};
}
