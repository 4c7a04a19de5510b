//! The three forms in which programs call BLAS: C's interface with integers of 32 and of 64 bits, and Fortran's, where everything is a pointer
//! (and integers have 32 bits).
//!
//! Models are exported as `__ct_model_cblas_d<name>_32`, `.._64` and `__ct_model_d<name>_`, with `s` in the place of `d` for `f32`.
//! The functions behind them take integers as `isize` and options as the letters that Fortran has for them; those of matrices
//! take in front whether the matrices lie by rows, which Fortran's never do.

use core::ffi::c_char;

/// The letter of an option of C's interface.
#[inline(always)]
pub(super) fn letter(option: i32) -> u8 {
    match option {
        112 => b'T',
        113 => b'C',
        121 => b'U',
        122 => b'L',
        132 => b'U',
        141 => b'L',
        142 => b'R',
        _ => b'N',
    }
}

/// The letter of an option of Fortran's, in capitals.
///
/// # Safety
/// The pointer is to a letter.
#[inline(always)]
pub(super) unsafe fn capital(option: *const c_char) -> u8 {
    // SAFETY: by the function's own contract.
    unsafe { option.cast::<u8>().read() }.to_ascii_uppercase()
}

/// Type of a parameter in a routine.
macro_rules! of_own {
    (int $float:ident) => { isize };
    (num $float:ident) => { $float };
    (input $float:ident) => { *const $float };
    (output $float:ident) => { *mut $float };
    (option $float:ident) => { u8 };
}

/// Type of a parameter in C's interface.
macro_rules! of_c {
    (int $int:ty, $float:ty) => { $int };
    (num $int:ty, $float:ty) => { $float };
    (input $int:ty, $float:ty) => { *const $float };
    (output $int:ty, $float:ty) => { *mut $float };
    (option $int:ty, $float:ty) => { i32 };
}

/// Type of a parameter in Fortran's interface.
macro_rules! of_fortran {
    (int $float:ty) => { *const i32 };
    (num $float:ty) => { *const $float };
    (input $float:ty) => { *const $float };
    (output $float:ty) => { *mut $float };
    (option $float:ty) => { *const core::ffi::c_char };
}

/// What the function gets of a parameter of C's interface.
macro_rules! from_c {
    (int $value:ident) => {
        $value as isize
    };
    (num $value:ident) => {
        $value
    };
    (input $value:ident) => {
        $value
    };
    (output $value:ident) => {
        $value
    };
    (option $value:ident) => {
        $crate::models::abi::letter($value)
    };
}

/// What the function gets of a parameter of Fortran's interface.
macro_rules! from_fortran {
    (int $value:ident) => {
        *$value as isize
    };
    (num $value:ident) => {
        *$value
    };
    (input $value:ident) => {
        $value
    };
    (output $value:ident) => {
        $value
    };
    (option $value:ident) => {
        $crate::models::abi::capital($value)
    };
}

/// Routines and their models; those with matrices after `matrices` and a name for whether these lie by rows.
macro_rules! routines {
    (matrices $by_rows:ident: $($(#[$doc:meta])* $name:literal fn $function:ident($($param:ident: $kind:ident),*) $body:block)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// As in BLAS.
        unsafe fn $function<T: Real>($by_rows: bool, $($param: $crate::models::abi::of_own!($kind T)),*) $body
        $crate::models::abi::routines!(@all $name, $function, [order: i32,], [order == 101,], [false,], $($param $kind)*;);
    )*};
    ($($(#[$doc:meta])* $name:literal fn $function:ident($($param:ident: $kind:ident),*) $(-> $result:ident)? $body:block)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// As in BLAS.
        unsafe fn $function<T: Real>($($param: $crate::models::abi::of_own!($kind T)),*) $(-> $result)? $body
        $crate::models::abi::routines!(@all $name, $function, [], [], [], $($param $kind)*; $($result)?);
    )*};
    (@all $name:literal, $function:ident, $first:tt, $of_c:tt, $of_fortran:tt, $($param:ident $kind:ident)*; $($result:ident)?) => {
        mod $function {
            use $crate::models::abi::routines;
            routines!(@c f64, i32, "__ct_model_cblas_d", $name, "_32", d32, $function, $first, $of_c, $($param $kind)*; $($result)?);
            routines!(@c f64, i64, "__ct_model_cblas_d", $name, "_64", d64, $function, $first, $of_c, $($param $kind)*; $($result)?);
            routines!(@c f32, i32, "__ct_model_cblas_s", $name, "_32", s32, $function, $first, $of_c, $($param $kind)*; $($result)?);
            routines!(@c f32, i64, "__ct_model_cblas_s", $name, "_64", s64, $function, $first, $of_c, $($param $kind)*; $($result)?);
            routines!(@fortran f64, "__ct_model_d", $name, d, $function, $of_fortran, $($param $kind)*; $($result)?);
            routines!(@fortran f32, "__ct_model_s", $name, s, $function, $of_fortran, $($param $kind)*; $($result)?);
        }
    };
    (@c $float:ty, $int:ty, $prefix:literal, $name:literal, $suffix:literal, $own:ident, $function:ident,
        [$($first:ident: $first_type:ty,)?], [$($leading:expr,)?], $($param:ident $kind:ident)*; $($result:ident)?) => {
        #[unsafe(export_name = concat!($prefix, $name, $suffix))]
        #[allow(clippy::too_many_arguments, reason = "as in BLAS")]
        unsafe extern "C" fn $own(
            _: *const (), $($first: $first_type,)? $($param: $crate::models::abi::of_c!($kind $int, $float)),*
        ) $(-> $crate::models::abi::result!($result $float))? {
            // SAFETY: as the routine that it stands for is called.
            unsafe { super::$function::<$float>($($leading,)? $($crate::models::abi::from_c!($kind $param)),*) }
        }
    };
    (@fortran $float:ty, $prefix:literal, $name:literal, $own:ident, $function:ident,
        [$($leading:expr,)?], $($param:ident $kind:ident)*; $($result:ident)?) => {
        #[unsafe(export_name = concat!($prefix, $name, "_"))]
        #[allow(clippy::too_many_arguments, reason = "as in BLAS")]
        unsafe extern "C" fn $own(
            _: *const (), $($param: $crate::models::abi::of_fortran!($kind $float)),*
        ) $(-> $crate::models::abi::result!($result $float))? {
            // SAFETY: as the routine that it stands for is called.
            unsafe { super::$function::<$float>($($leading,)? $($crate::models::abi::from_fortran!($kind $param)),*) }
        }
    };
}

/// The type of a routine's result.
macro_rules! result {
    (T $float:ty) => {
        $float
    };
}

pub(super) use {from_c, from_fortran, of_c, of_fortran, of_own, result, routines};
