impl<T: Real> Model<T> {
    #[autodiff(d_loss, Reverse, Duplicated, Active, Const, Active)]
    pub(crate) fn loss<F: Fn(T) -> T>(&self, mut t: T, f: &F) -> T {
        f(t)
    }
}

trait Loss {
    #[autodiff(Reverse, Const, Duplicated, Active)]
    fn loss(&self, x: &[f64]) -> f64 {
        x[0]
    }
}
