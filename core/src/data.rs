//! Types that consist of floats and nothing else.

/// Plain data of floats: a value whose bytes are `f32`s, `f64`s and padding.
///
/// Any such value may be `Active` in [`#[autodiff]`](macro@crate::autodiff): its adjoint is a value of the same type, component
/// by component. A struct of floats need not implement this trait for that; the trait is for generic code that wants to
/// say so in a bound, such as `T: FloatData + Add<Output = T>`. Implemented for `f32`, `f64`, arrays of plain float data and
/// tuples of up to twelve.
///
/// ```
/// use cotangent::FloatData;
///
/// #[derive(Clone, Copy)]
/// struct Point {
///     x: f64,
///     y: f64,
/// }
/// // SAFETY: two `f64`s and nothing else.
/// unsafe impl FloatData for Point {}
/// ```
///
/// # Safety
/// Every byte of the type is part of an `f32` or `f64` or is padding, and all zeros is a valid value. There are no
/// pointers, integers, `bool`s or enums in it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to be plain float data",
    label = "not plain float data",
    note = "floats, arrays and tuples of them are plain float data; for a struct of nothing but floats say \
            `unsafe impl cotangent::FloatData for {Self} {{}}`"
)]
pub unsafe trait FloatData: Copy {}

// SAFETY: a float.
unsafe impl FloatData for f32 {}
// SAFETY: a float.
unsafe impl FloatData for f64 {}
// SAFETY: an array is its elements, without anything between them.
unsafe impl<T: FloatData, const N: usize> FloatData for [T; N] {}

macro_rules! tuples {
    ($($first:ident $($rest:ident)*)?) => {$(
        // SAFETY: a tuple is its components and padding.
        unsafe impl<$first: FloatData, $($rest: FloatData),*> FloatData for ($first, $($rest,)*) {}
        tuples!($($rest)*);
    )?};
}
tuples!(A B C D E F G H I J K L);

#[cfg(test)]
mod tests {
    use super::FloatData;

    fn is_float_data<T: FloatData>() -> usize {
        size_of::<T>()
    }

    #[test]
    fn floats_arrays_and_tuples_nest() {
        assert_eq!(is_float_data::<([f64; 3], (f32, f64))>(), 40);
        assert_eq!(is_float_data::<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>(), 48);
    }
}
