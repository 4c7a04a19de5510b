//! The calls that `check!` makes: of the function, and of a derivative in each mode.
//!
//! Each macro goes through the arguments and collects what happens before the call, the call's arguments, and what happens
//! after. An argument is a kind, the variable that holds its copy, and its name:
//!
//! | kind | written | passed |
//! |---|---|---|
//! | `constant` | `Const(e)` | a clone, of a reference mostly |
//! | `scratch` | `Const(&mut e)` | by `&mut`, no shadow |
//! | `value` | `Active(e)`, `Dual(e)` | by value |
//! | `shared` | `Duplicated(&e)`, ... | by `&` |
//! | `shared_lanes` | `Dualv(&e)` | by `&`, one shadow for all lanes |
//! | `changed`, `changed_only` | `Duplicated(&mut e)`, `DuplicatedOnly(&mut e)`, ... | by `&mut` |
//! | `changed_lanes` | `Dualv(&mut e)` | by `&mut`, one shadow for all lanes |

/// The function itself: gives its result and what it left in its `&mut` arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! __check_primal {
    ($m:tt $ret:ident $f:tt {$($before:tt)*} {$($call:tt)*} {$($after:tt)*} [[constant $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_primal!($m $ret $f
            {$($before)* let constant = ::core::clone::Clone::clone(&$value);} {$($call)* constant,} {$($after)*} [$($rest)*])
    };
    ($m:tt $ret:ident $f:tt {$($before:tt)*} {$($call:tt)*} {$($after:tt)*} [[scratch $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_primal!($m $ret $f
            {$($before)* let mut scratch = ::core::clone::Clone::clone(&$value);} {$($call)* &mut scratch,} {$($after)*}
            [$($rest)*])
    };
    (($x:ident $values:ident) $ret:ident $f:tt {$($before:tt)*} {$($call:tt)*} {$($after:tt)*}
        [[value $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_primal!(($x $values) $ret $f
            {$($before)* let argument = $x.take(&$value);} {$($call)* argument,} {$($after)*} [$($rest)*])
    };
    (($x:ident $values:ident) $ret:ident $f:tt {$($before:tt)*} {$($call:tt)*} {$($after:tt)*}
        [[shared $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_primal!(($x $values) $ret $f
            {$($before)* let argument = $x.take(&$value);} {$($call)* &argument,} {$($after)*} [$($rest)*])
    };
    (($x:ident $values:ident) $ret:ident $f:tt {$($before:tt)*} {$($call:tt)*} {$($after:tt)*}
        [[shared_lanes $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_primal!(($x $values) $ret $f
            {$($before)* let argument = $x.take(&$value);} {$($call)* &argument,} {$($after)*} [$($rest)*])
    };
    (($x:ident $values:ident) $ret:ident $f:tt {$($before:tt)*} {$($call:tt)*} {$($after:tt)*}
        [[$changed:ident $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_primal!(($x $values) $ret $f
            {$($before)* let mut argument = $x.take(&$value);} {$($call)* &mut argument,}
            {$($after)* $values.put(&mut argument);} [$($rest)*])
    };
    (($x:ident $values:ident) Nothing [$($f:tt)+] {$($before:tt)*} {$($call:tt)*} {$($after:tt)*} []) => {{
        $($before)*
        $($f)+($($call)*);
        $($after)*
        ((), $values.list())
    }};
    (($x:ident $values:ident) Const [$($f:tt)+] {$($before:tt)*} {$($call:tt)*} {$($after:tt)*} []) => {{
        $($before)*
        let _ = $($f)+($($call)*);
        $($after)*
        ((), $values.list())
    }};
    (($x:ident $values:ident) $ret:ident [$($f:tt)+] {$($before:tt)*} {$($call:tt)*} {$($after:tt)*} []) => {{
        $($before)*
        let result = $($f)+($($call)*);
        $($after)*
        (result, $values.list())
    }};
}

/// A derivative in reverse mode; in brackets the adjoints that it returns.
#[doc(hidden)]
#[macro_export]
macro_rules! __check_reverse {
    ($m:tt $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} $back:tt
        [[constant $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_reverse!($m $ret $f
            {$($before)* let constant = ::core::clone::Clone::clone(&$value);} {$($args)* constant,} {$($after)*} $back [$($rest)*])
    };
    ($m:tt $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} $back:tt
        [[scratch $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_reverse!($m $ret $f
            {$($before)* let mut scratch = ::core::clone::Clone::clone(&$value);} {$($args)* &mut scratch,} {$($after)*}
            $back [$($rest)*])
    };
    (($c:ident $($m:tt)*) $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} [$($back:ident)*]
        [[value $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_reverse!(($c $($m)*) $ret $f
            {$($before)* let argument = $c.value(&$value);} {$($args)* argument,}
            {$($after)* $c.returned(&mut adjoint);} [$($back)* adjoint] [$($rest)*])
    };
    (($c:ident $($m:tt)*) $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} $back:tt
        [[shared $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_reverse!(($c $($m)*) $ret $f
            {$($before)* let (mut argument, mut shadow) = $c.shared(&$value);} {$($args)* &argument, &mut shadow,}
            {$($after)* $c.unchanged(&mut argument, &mut shadow);} $back [$($rest)*])
    };
    (($c:ident $($m:tt)*) $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} $back:tt
        [[shared_lanes $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_reverse!(($c $($m)*) $ret $f {$($before)*} {$($args)*} {$($after)*} $back
            [[shared $value $n] $($rest)*])
    };
    (($c:ident $($m:tt)*) $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} $back:tt
        [[changed_only $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_reverse!(($c $($m)*) $ret $f
            {$($before)* let (mut argument, mut shadow) = $c.changing(&$value);} {$($args)* &mut argument, &mut shadow,}
            {$($after)* $c.changed(&mut argument, &mut shadow, false);} $back [$($rest)*])
    };
    (($c:ident $($m:tt)*) $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} $back:tt
        [[$changed:ident $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_reverse!(($c $($m)*) $ret $f
            {$($before)* let (mut argument, mut shadow) = $c.changing(&$value);} {$($args)* &mut argument, &mut shadow,}
            {$($after)* $c.changed(&mut argument, &mut shadow, true);} $back [$($rest)*])
    };

    (($c:ident $result:ident $seed:ident) Nothing [$f:expr] {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} [$($back:ident)*] []) => {
        $($before)*
        let ($(mut $back),*) = ($f)($($args)*);
        $($after)*
        let () = $seed;
    };
    (($c:ident $result:ident $seed:ident) Const $f:tt $before:tt $args:tt $after:tt [$($back:ident)*] []) => {
        $crate::__check_reverse!(@valued $c $f $before $args $after [result $($back)*]);
        let () = $seed;
    };
    (($c:ident $result:ident $seed:ident) ActiveOnly [$f:expr] {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} [$($back:ident)*] []) => {
        $($before)*
        let ($(mut $back),*) = ($f)($($args)* $seed);
        $c.no_value(&$result);
        $($after)*
    };
    (($c:ident $result:ident $seed:ident) $active:ident $f:tt $before:tt {$($args:tt)*} {$($after:tt)*} [$($back:ident)*] []) => {
        $crate::__check_reverse!(@valued $c $f $before {$($args)* $seed} {$c.result(&mut result); $($after)*} [result $($back)*]);
    };
    (@valued $c:ident [$f:expr] {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} [$($back:ident)+]) => {
        $($before)*
        #[allow(unused_mut, unused_variables, reason = "a constant result is not looked at")]
        let ($(mut $back),+) = ($f)($($args)*);
        $($after)*
    };
}

/// A derivative in forward mode; in brackets one token for each lane.
#[doc(hidden)]
#[macro_export]
macro_rules! __check_forward {
    ($m:tt $lanes:tt $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} [[constant $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_forward!($m $lanes $ret $f
            {$($before)* let constant = ::core::clone::Clone::clone(&$value);} {$($args)* constant,} {$($after)*} [$($rest)*])
    };
    ($m:tt $lanes:tt $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} [[scratch $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_forward!($m $lanes $ret $f
            {$($before)* let mut scratch = ::core::clone::Clone::clone(&$value);} {$($args)* &mut scratch,} {$($after)*}
            [$($rest)*])
    };
    (($c:ident $r:ident) [$($lane:tt)+] $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*}
        [[value $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_forward!(($c $r) [$($lane)+] $ret $f
            {$($before)* let (argument, tangents) = $c.value(&$value);}
            {$($args)* argument, $(::core::clone::Clone::clone(&tangents[$lane]),)+} {$($after)* $c.consumed(&$value);}
            [$($rest)*])
    };
    (($c:ident $r:ident) [$($lane:tt)+] $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*}
        [[shared $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_forward!(($c $r) [$($lane)+] $ret $f
            {$($before)* let (mut argument, tangents) = $c.shared(&$value);}
            {$($args)* &argument, $(&tangents[$lane],)+} {$($after)* $c.unchanged(&mut argument);} [$($rest)*])
    };
    (($c:ident $r:ident) $lanes:tt $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*}
        [[shared_lanes $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_forward!(($c $r) $lanes $ret $f
            {$($before)* let (mut argument, tangents) = $c.joined(&$value);}
            {$($args)* &argument, &tangents,} {$($after)* $c.unchanged(&mut argument);} [$($rest)*])
    };
    (($c:ident $r:ident) $lanes:tt $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*}
        [[changed_lanes $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_forward!(($c $r) $lanes $ret $f
            {$($before)* let (mut argument, mut tangents) = $c.joined(&$value);}
            {$($args)* &mut argument, &mut tangents,}
            {$($after)* $c.changed_joined(&mut argument, &mut tangents);} [$($rest)*])
    };
    (($c:ident $r:ident) [$($lane:tt)+] $ret:ident $f:tt {$($before:tt)*} {$($args:tt)*} {$($after:tt)*}
        [[$changed:ident $value:ident $n:tt] $($rest:tt)*]) => {
        $crate::__check_forward!(($c $r) [$($lane)+] $ret $f
            {$($before)* let (mut argument, mut tangents) = $c.shared(&$value); let mut each = tangents.iter_mut();}
            {$($args)* &mut argument, $({ let _ = $lane; each.next().expect("a tangent for each lane") },)+}
            {$($after)* $c.$changed(&mut argument, &mut tangents);} [$($rest)*])
    };

    (($c:ident $r:ident) $lanes:tt Nothing [$f:expr] {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} []) => {
        $($before)*
        ($f)($($args)*);
        $($after)*
        let () = $r;
    };
    (($c:ident $r:ident) $lanes:tt Const [$f:expr] {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} []) => {
        $($before)*
        let _ = ($f)($($args)*);
        $($after)*
        let () = $r;
    };
    (($c:ident $r:ident) [0] DualOnly [$f:expr] {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} []) => {
        $($before)*
        let tangent = ($f)($($args)*);
        $c.tangents_of(&$r, [tangent]);
        $($after)*
    };
    (($c:ident $r:ident) $lanes:tt DualOnly [$f:expr] {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} []) => {
        $($before)*
        let tangents = ($f)($($args)*);
        $c.tangents_of(&$r, tangents);
        $($after)*
    };
    ($m:tt $lanes:tt ActiveOnly $f:tt $before:tt $args:tt $after:tt []) => {
        $crate::__check_forward!($m $lanes DualOnly $f $before $args $after [])
    };
    (($c:ident $r:ident) [0] $dual:ident [$f:expr] {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} []) => {
        $($before)*
        let (value, tangent) = ($f)($($args)*);
        $c.value_and_tangents_of(&$r, [value, tangent]);
        $($after)*
    };
    (($c:ident $r:ident) $lanes:tt $dual:ident [$f:expr] {$($before:tt)*} {$($args:tt)*} {$($after:tt)*} []) => {
        $($before)*
        let all = ($f)($($args)*);
        $c.value_and_tangents_of(&$r, all);
        $($after)*
    };
}
