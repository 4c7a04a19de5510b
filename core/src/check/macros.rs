//! `check!`: a check of a function with any arguments, written like a call of it.
//!
//! The macro goes through the arguments once and gives each a copy to start from (`@arguments`), and then once more for
//! the function and for each derivative (`calls`). Each step's variables are its own, by hygiene, so they need no names.

/// Checks derivatives of a function with any arguments.
///
/// Write a call of the function with an activity around each argument, the activity of the result after an arrow, and then the
/// derivatives. The arguments are the point; they are copied, and the variables stay as they are.
///
/// ```
/// use cotangent::{autodiff, check};
///
/// struct Data {
///     x: Vec<f64>,
///     y: Vec<f64>,
/// }
///
/// #[autodiff(d_loss, Reverse, Duplicated, Const, Active, Active)]
/// #[autodiff(b_loss, Forward, Dual, Const, Dual, Dual)]
/// #[autodiff(v_loss, Forward, 4, Dual, Const, Dual, DualOnly)]
/// fn loss(w: &[f64], data: &Data, penalty: f64) -> f64 {
///     let line = |x: &f64| w[0] + w[1] * x;
///     let errors = data.x.iter().zip(&data.y).map(|(x, y)| (line(x) - y) * (line(x) - y));
///     errors.sum::<f64>() + penalty * w[1] * w[1]
/// }
///
/// let data = Data { x: vec![0.0, 1.0, 2.0], y: vec![1.0, 1.5, 2.5] };
/// check!(
///     loss(Duplicated(&[0.8, 0.7]), Const(&data), Active(0.1)) -> Active,
///     reverse = d_loss,
///     forward = b_loss,
///     forward(4, DualOnly) = v_loss
/// )
/// .assert();
/// ```
///
/// # Activities
///
/// They are those of the attribute. Names of reverse mode serve forward mode as well, as in the attribute: `Duplicated`
/// is read as `Dual`, `Active` as `Dual`. Whether an argument is passed by value, by `&` or by `&mut` is how it is written:
/// `Active(0.1)`, `Duplicated(&w)`, `Duplicated(&mut y)`, `Dual(&w)`, `Dualv(&w)`, `Const(&data)`, `Const(&mut scratch)`, `Const(3)`.
/// What stands in a constant that is not behind `&mut` is only borrowed, so a temporary needs a `let` before.
///
/// Active arguments and results have to say what floats are in them ([`Floats`](crate::check::Floats)). That is so for floats,
/// arrays, slices, vectors and tuples of them; structs say it with [`floats!`](macro@crate::check::floats).
///
/// # Derivatives
///
/// `reverse = path` and `forward = path` name generated functions; closures and functions that were written by hand, with
/// the same signature, do as well. `forward(4) = path` has four tangents in one sweep (2 to 8, and 16, are possible). Where a derivative's result
/// has another activity than the arrow says, write it in parentheses: `reverse(ActiveOnly) = path`, `forward(4, DualOnly) = path`.
///
/// The result is a [`Check`](crate::check::Check): end with `.assert()` or `.run()`.
#[macro_export]
macro_rules! check {
    ($($tokens:tt)+) => {
        $crate::__check!(@function [] $($tokens)+)
    };
}

/// The steps of [`check!`](macro@crate::check).
#[doc(hidden)]
#[macro_export]
macro_rules! __check {
    // The function: everything before its arguments.
    (@function [$($f:tt)+] ($($arguments:tt)*) -> $ret:ident, $($derivatives:tt)+) => {
        $crate::__check!(@arguments [[$($f)+] $ret [$($derivatives)+]] [] $($arguments)*)
    };
    (@function [$($f:tt)+] ($($arguments:tt)*), $($derivatives:tt)+) => {
        $crate::__check!(@arguments [[$($f)+] Nothing [$($derivatives)+]] [] $($arguments)*)
    };
    (@function [$($f:tt)*] $next:tt $($rest:tt)*) => {
        $crate::__check!(@function [$($f)* $next] $($rest)*)
    };
    (@function [$($f:tt)*]) => {
        ::core::compile_error!(
            "expected `check!(function(Activity(argument), ..) -> Activity, reverse = derivative, ..)`, without the arrow \
             where the function returns nothing"
        )
    };

    // The arguments: each becomes a variable to copy from, and its kind.
    (@arguments $context:tt [$($done:tt)*]) => {
        $crate::__check!(@assemble $context [$($done)*])
    };
    (@arguments $context:tt [$($done:tt)*] Const(&mut $e:expr) $(, $($rest:tt)*)?) => {{
        let constant = ::std::borrow::ToOwned::to_owned(&$e);
        $crate::__check!(@arguments $context [$($done)* [scratch constant ""]] $($($rest)*)?)
    }};
    (@arguments $context:tt [$($done:tt)*] Const($e:expr) $(, $($rest:tt)*)?) => {{
        let constant = $e;
        $crate::__check!(@arguments $context [$($done)* [constant constant (::core::stringify!($e))]] $($($rest)*)?)
    }};
    (@arguments $context:tt [$($done:tt)*] DuplicatedOnly(&mut $e:expr) $(, $($rest:tt)*)?) => {
        $crate::__check!(@argument changed_only $context [$($done)*] [&$e] [$e] $($($rest)*)?)
    };
    (@arguments $context:tt [$($done:tt)*] DualOnly(&mut $e:expr) $(, $($rest:tt)*)?) => {
        $crate::__check!(@argument changed_only $context [$($done)*] [&$e] [$e] $($($rest)*)?)
    };
    (@arguments $context:tt [$($done:tt)*] Dualv(&mut $e:expr) $(, $($rest:tt)*)?) => {
        $crate::__check!(@argument changed_lanes $context [$($done)*] [&$e] [$e] $($($rest)*)?)
    };
    (@arguments $context:tt [$($done:tt)*] Dualv(& $e:expr) $(, $($rest:tt)*)?) => {
        $crate::__check!(@argument shared_lanes $context [$($done)*] [&$e] [$e] $($($rest)*)?)
    };
    (@arguments $context:tt [$($done:tt)*] Dualv($e:expr) $(, $($rest:tt)*)?) => {
        $crate::__check!(@argument shared_lanes $context [$($done)*] [$e] [$e] $($($rest)*)?)
    };
    (@arguments $context:tt [$($done:tt)*] $activity:ident(&mut $e:expr) $(, $($rest:tt)*)?) => {
        $crate::__check!(@argument changed $context [$($done)*] [&$e] [$e] $($($rest)*)?)
    };
    (@arguments $context:tt [$($done:tt)*] $activity:ident(& $e:expr) $(, $($rest:tt)*)?) => {
        $crate::__check!(@argument shared $context [$($done)*] [&$e] [$e] $($($rest)*)?)
    };
    (@arguments $context:tt [$($done:tt)*] Duplicated($e:expr) $(, $($rest:tt)*)?) => {
        $crate::__check!(@argument shared $context [$($done)*] [$e] [$e] $($($rest)*)?)
    };
    (@arguments $context:tt [$($done:tt)*] DuplicatedOnly($e:expr) $(, $($rest:tt)*)?) => {
        $crate::__check!(@argument shared $context [$($done)*] [$e] [$e] $($($rest)*)?)
    };
    (@arguments $context:tt [$($done:tt)*] $activity:ident($e:expr) $(, $($rest:tt)*)?) => {{
        let value = $e;
        $crate::__check!(@arguments $context [$($done)* [value value (::core::stringify!($e))]] $($($rest)*)?)
    }};
    (@arguments $context:tt [$($done:tt)*] $($rest:tt)+) => {
        ::core::compile_error!(::core::concat!(
            "expected an argument with its activity, such as `Duplicated(&w)`, at `",
            ::core::stringify!($($rest)+),
            "`"
        ))
    };
    (@argument $kind:ident $context:tt [$($done:tt)*] [$reference:expr] [$e:expr] $($rest:tt)*) => {{
        let value = ::std::borrow::ToOwned::to_owned($reference);
        $crate::__check!(@arguments $context [$($done)* [$kind value (::core::stringify!($e))]] $($rest)*)
    }};

    // The function, and then the derivatives.
    (@assemble [$f:tt $ret:ident [$($derivatives:tt)+]] $done:tt) => {{
        let mut assembly = $crate::check::support::Assembly::default();
        $crate::__check!(@inputs assembly $done);
        let call = $crate::__check!(@copies $done {
            move |list: &[f64]| {
                let mut x = $crate::check::support::Reader::new(list);
                let mut values = $crate::check::support::Writer::default();
                $crate::__check_primal!((x values) $ret $f {} {} {} $done)
            }
        });
        let (result, _) = call(assembly.point());
        assembly.output("y", &result);
        $crate::__check!(@outputs assembly $done);
        assembly.primal(move |list: &[f64]| {
            let (result, changed) = call(list);
            $crate::check::support::together(result, changed)
        });
        $crate::__check!(@derivatives (assembly result $done) $ret $($derivatives)+);
        assembly.finish()
    }};
    (@inputs $assembly:ident [$([$kind:ident $value:ident $name:tt])*]) => {
        $($crate::__check!(@input $kind $assembly $value $name);)*
    };
    (@input constant $assembly:ident $value:ident $name:tt) => {
        $assembly.constant($name, {
            use $crate::check::support::{KeptReference as _, KeptUnknown as _};
            (&&$crate::check::support::Kept(::core::clone::Clone::clone(&$value))).same()
        });
    };
    (@input scratch $assembly:ident $value:ident $name:tt) => {};
    (@input shared $assembly:ident $value:ident $name:tt) => { $assembly.input($name, &$value, true); };
    (@input shared_lanes $assembly:ident $value:ident $name:tt) => { $assembly.input($name, &$value, true); };
    (@input $kind:ident $assembly:ident $value:ident $name:tt) => { $assembly.input($name, &$value, false); };
    (@outputs $assembly:ident [$([$kind:ident $value:ident $name:tt])*]) => {
        $($crate::__check!(@output $kind $assembly $value $name);)*
    };
    (@output changed $assembly:ident $value:ident $name:tt) => { $assembly.output($name, &$value); };
    (@output changed_only $assembly:ident $value:ident $name:tt) => { $assembly.output($name, &$value); };
    (@output changed_lanes $assembly:ident $value:ident $name:tt) => { $assembly.output($name, &$value); };
    (@output $kind:ident $assembly:ident $value:ident $name:tt) => {};
    (@copies [$([$kind:ident $value:ident $name:tt])*] $body:expr) => {{
        $(let $value = ::core::clone::Clone::clone(&$value);)*
        $body
    }};

    (@derivatives $context:tt $ret:ident) => {};
    (@derivatives $context:tt $ret:ident reverse = $e:expr $(, $($rest:tt)*)?) => {
        $crate::__check!(@reverse $context $ret $e);
        $crate::__check!(@derivatives $context $ret $($($rest)*)?);
    };
    (@derivatives $context:tt $ret:ident reverse($own:ident) = $e:expr $(, $($rest:tt)*)?) => {
        $crate::__check!(@reverse $context $own $e);
        $crate::__check!(@derivatives $context $ret $($($rest)*)?);
    };
    (@derivatives $context:tt $ret:ident forward = $e:expr $(, $($rest:tt)*)?) => {
        $crate::__check!(@width 1 $context $ret $e);
        $crate::__check!(@derivatives $context $ret $($($rest)*)?);
    };
    (@derivatives $context:tt $ret:ident forward($own:ident) = $e:expr $(, $($rest:tt)*)?) => {
        $crate::__check!(@width 1 $context $own $e);
        $crate::__check!(@derivatives $context $ret $($($rest)*)?);
    };
    (@derivatives $context:tt $ret:ident forward($width:tt) = $e:expr $(, $($rest:tt)*)?) => {
        $crate::__check!(@width $width $context $ret $e);
        $crate::__check!(@derivatives $context $ret $($($rest)*)?);
    };
    (@derivatives $context:tt $ret:ident forward($width:tt, $own:ident) = $e:expr $(, $($rest:tt)*)?) => {
        $crate::__check!(@width $width $context $own $e);
        $crate::__check!(@derivatives $context $ret $($($rest)*)?);
    };
    (@derivatives $context:tt $ret:ident $($rest:tt)+) => {
        ::core::compile_error!(::core::concat!(
            "expected `reverse = ..`, `forward = ..`, `forward(4) = ..` or `forward(4, DualOnly) = ..`, at `",
            ::core::stringify!($($rest)+),
            "`"
        ))
    };
    (@count [$($lane:tt)+]) => { [$($lane),+].len() };
    (@width 1 $($rest:tt)*) => { $crate::__check!(@forward [0] $($rest)*) };
    (@width 2 $($rest:tt)*) => { $crate::__check!(@forward [0 1] $($rest)*) };
    (@width 3 $($rest:tt)*) => { $crate::__check!(@forward [0 1 2] $($rest)*) };
    (@width 4 $($rest:tt)*) => { $crate::__check!(@forward [0 1 2 3] $($rest)*) };
    (@width 5 $($rest:tt)*) => { $crate::__check!(@forward [0 1 2 3 4] $($rest)*) };
    (@width 6 $($rest:tt)*) => { $crate::__check!(@forward [0 1 2 3 4 5] $($rest)*) };
    (@width 7 $($rest:tt)*) => { $crate::__check!(@forward [0 1 2 3 4 5 6] $($rest)*) };
    (@width 8 $($rest:tt)*) => { $crate::__check!(@forward [0 1 2 3 4 5 6 7] $($rest)*) };
    (@width 16 $($rest:tt)*) => {
        $crate::__check!(@forward [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] $($rest)*)
    };
    (@width $width:tt $($rest:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "`forward(", ::core::stringify!($width), ")`: `check!` knows widths of 1 to 8, and 16"
        ))
    };
    (@reverse ($assembly:ident $result:ident $done:tt) $ret:ident $e:expr) => {
        $assembly.reverse(::core::stringify!($e), $crate::__check!(@copies $done {
            let result = ::core::clone::Clone::clone(&$result);
            move |list: &[f64], seed: &[f64], shadow: &[f64]| {
                let mut call = $crate::check::support::ReverseCall::new(list, seed, shadow);
                let seed = call.seeds.take(&result);
                $crate::__check_reverse!((call result seed) $ret [$e] {} {} {} [] $done);
                call.done()
            }
        }));
    };
    (@forward $lanes:tt ($assembly:ident $result:ident $done:tt) $ret:ident $e:expr) => {
        $assembly.forward(::core::stringify!($e), $crate::__check!(@count $lanes), $crate::__check!(@copies $done {
            let result = ::core::clone::Clone::clone(&$result);
            move |list: &[f64], directions: &[::std::vec::Vec<f64>]| {
                let mut call = $crate::check::support::ForwardCall::new(list, directions);
                $crate::__check_forward!((call result) $lanes $ret [$e] {} {} {} $done);
                call.done()
            }
        }));
    };
}
