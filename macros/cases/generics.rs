#[autodiff(Reverse, Duplicated, Const)]
fn first<T, const N: usize>(x: &mut [[T; N]]) -> &[T; N]
where
    T: Copy,
{
    &x[0]
}

#[autodiff(Reverse, Const, Const, Active, Active)]
unsafe fn weigh<'a, D: ?Sized>(what: &'a D, label: &str, x: Celsius) -> Celsius {
    x
}
