//! Routines under the names that programs call them by: C's interface (`cblas_dgemm`, `LAPACKE_dgetrf`) and Fortran's (`dgemm_`), in both
//! widths. C's integers have 32 bits in double precision and 64 in single, so that both are there.
//!
//! A routine is written once over both float types, with a boolean in front where matrices may lie by rows, integers as `isize` and
//! options as letters; it computes in `f64`.

/// The type of a parameter in C, in Fortran, and what the routine gets of it.
macro_rules! of {
    (c int $int:ty, $float:ty) => { $int };
    (c num $int:ty, $float:ty) => { $float };
    (c option $int:ty, $float:ty) => { i32 };
    (lapacke option $int:ty, $float:ty) => { std::ffi::c_char };
    (fortran int $int:ty, $float:ty) => { *const i32 };
    (fortran num $int:ty, $float:ty) => { *const $float };
    (fortran option $int:ty, $float:ty) => { *const std::ffi::c_char };
    ($way:ident input $int:ty, $float:ty) => { *const $float };
    ($way:ident output $int:ty, $float:ty) => { *mut $float };
    ($way:ident order $int:ty, $float:ty) => { *mut i32 };
    (lapacke $kind:ident $int:ty, $float:ty) => { of!(c $kind $int, $float) };
}

/// The other direction: an argument for C or Fortran from a value as the routine gets it.
macro_rules! argument {
    (c int $value:expr) => {
        $value as Int
    };
    (c option $value:expr) => {
        $crate::arrays::abi::number($value)
    };
    (lapacke int $value:expr) => {
        $value as i32
    };
    (lapacke option $value:expr) => {
        $value as std::ffi::c_char
    };
    (fortran int $value:expr) => {
        &($value as i32)
    };
    (fortran option $value:expr) => {
        &($value as std::ffi::c_char)
    };
    (fortran num $value:expr) => {
        &$value
    };
    ($way:ident $kind:ident $value:expr) => {
        $value
    };
}

/// What a routine gets.
macro_rules! given {
    (c option $value:ident) => {
        $crate::arrays::abi::letter($value)
    };
    (lapacke option $value:ident) => {
        ($value as u8).to_ascii_uppercase()
    };
    (fortran int $value:ident) => {
        *$value as isize
    };
    (fortran num $value:ident) => {
        testing::differences::Real::value(*$value)
    };
    (fortran option $value:ident) => {
        (*$value as u8).to_ascii_uppercase()
    };
    ($way:ident int $value:ident) => {
        $value as isize
    };
    ($way:ident num $value:ident) => {
        testing::differences::Real::value($value)
    };
    ($way:ident $kind:ident $value:ident) => {
        $value
    };
}

/// BLAS: a list of `name [by_rows, where it has matrices] (parameters) result;`.
macro_rules! blas {
    ($($name:ident [$($by_rows:ident)?] ($($param:ident $kind:ident),*) $($result:ident)?;)*) => {
        pub mod double { blas!(@width "d", f64, i32, $($name [$($by_rows)?] ($($param $kind),*) $($result)?;)*); }
        pub mod single { blas!(@width "s", f32, i64, $($name [$($by_rows)?] ($($param $kind),*) $($result)?;)*); }
    };
    (@width $letter:literal, $float:ident, $int:ident, $($name:ident [$($by_rows:ident)?] ($($param:ident $kind:ident),*) $($result:ident)?;)*) => {
        pub type Float = $float;
        pub type Int = $int;
        pub mod c { $(
            #[unsafe(export_name = concat!("cblas_", $letter, stringify!($name)))]
            pub unsafe extern "C" fn $name($($by_rows: i32,)? $($param: of!(c $kind $int, $float)),*) $(-> blas!(@ $result $float))? {
                unsafe { $crate::arrays::reference::$name::<$float>($($by_rows == 101,)? $(given!(c $kind $param)),*) }
            }
        )* }
        pub mod fortran { $(
            #[unsafe(export_name = concat!($letter, stringify!($name), "_"))]
            pub unsafe extern "C" fn $name($($param: of!(fortran $kind $int, $float)),*) $(-> blas!(@ $result $float))? {
                $(let $by_rows = false;)?
                unsafe { $crate::arrays::reference::$name::<$float>($($by_rows,)? $(given!(fortran $kind $param)),*) }
            }
        )* }
    };
    (@ T $float:ident) => { $float };
}

/// LAPACK: a list of `name (parameters; what Fortran alone has);`, in which all have matrices and answer a number.
macro_rules! lapack {
    ($($name:ident ($($param:ident $kind:ident),* $(; $work:ident $size:ident)?);)*) => {
        pub mod double { lapack!(@width "d", f64, $($name ($($param $kind),* $(; $work $size)?);)*); }
        pub mod single { lapack!(@width "s", f32, $($name ($($param $kind),* $(; $work $size)?);)*); }
    };
    (@width $letter:literal, $float:ident, $($name:ident ($($param:ident $kind:ident),* $(; $work:ident $size:ident)?);)*) => {
        pub type Float = $float;
        pub mod lapacke { $(
            #[unsafe(export_name = concat!("LAPACKE_", $letter, stringify!($name)))]
            pub unsafe extern "C" fn $name(layout: i32, $($param: of!(lapacke $kind i32, $float)),*) -> i32 {
                unsafe { $crate::arrays::factors::$name::<$float>(layout == 101, $(given!(lapacke $kind $param)),*) }
            }
        )* }
        pub mod fortran { $(
            #[unsafe(export_name = concat!($letter, stringify!($name), "_"))]
            pub unsafe extern "C" fn $name($($param: of!(fortran $kind i32, $float),)* $($work: *mut $float, $size: *const i32,)? info: *mut i32) {
                unsafe {
                    $(
                        *$work = 7.0;
                        if *$size == -1 {
                            *info = 0;
                            return;
                        }
                    )?
                    *info = $crate::arrays::factors::$name::<$float>(false, $(given!(fortran $kind $param)),*);
                }
            }
        )* }
    };
}

/// C's number for the letter of an option; sides and halves are in capitals, diagonals in small letters here.
pub fn number(letter: u8) -> i32 {
    match letter {
        b'N' => 111,
        b'T' => 112,
        b'U' => 121,
        b'L' => 122,
        b'n' => 131,
        b'u' => 132,
        b'l' => 141,
        _ => 142,
    }
}

/// The letter, in capitals, of C's number.
pub fn letter(number: i32) -> u8 {
    match number {
        112 => b'T',
        121 | 132 => b'U',
        122 | 141 => b'L',
        142 => b'R',
        _ => b'N',
    }
}
