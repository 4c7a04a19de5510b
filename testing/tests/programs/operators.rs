//! Types with operators of their own, as numerical crates define them.

use crate::functional;
use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Sub};
use testing::noise;

#[derive(Clone, Copy)]
struct Vector {
    x: f64,
    y: f64,
    z: f64,
}

impl Add for Vector {
    type Output = Vector;
    fn add(self, o: Vector) -> Vector {
        Vector { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

impl Sub for Vector {
    type Output = Vector;
    fn sub(self, o: Vector) -> Vector {
        Vector { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

impl Mul<f64> for Vector {
    type Output = Vector;
    fn mul(self, by: f64) -> Vector {
        Vector { x: self.x * by, y: self.y * by, z: self.z * by }
    }
}

impl AddAssign for Vector {
    fn add_assign(&mut self, o: Vector) {
        *self = *self + o;
    }
}

impl Vector {
    fn dot(self, o: Vector) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }

    fn cross(self, o: Vector) -> Vector {
        Vector { x: self.y * o.z - self.z * o.y, y: self.z * o.x - self.x * o.z, z: self.x * o.y - self.y * o.x }
    }
}

#[derive(Clone, Copy)]
struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);

impl<const R: usize, const C: usize> Index<(usize, usize)> for Matrix<R, C> {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.0[i][j]
    }
}

impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<R, C> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.0[i][j]
    }
}

impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
    type Output = Matrix<R, C>;
    fn mul(self, o: Matrix<K, C>) -> Matrix<R, C> {
        let mut product = Matrix([[0.0; C]; R]);
        for i in 0..R {
            for j in 0..C {
                for k in 0..K {
                    product[(i, j)] += self[(i, k)] * o[(k, j)];
                }
            }
        }
        product
    }
}

impl<const R: usize, const C: usize> Matrix<R, C> {
    fn transpose(&self) -> Matrix<C, R> {
        let mut t = Matrix([[0.0; R]; C]);
        for i in 0..R {
            for j in 0..C {
                t[(j, i)] = self[(i, j)];
            }
        }
        t
    }
}

#[derive(Clone, Copy)]
struct Complex<T> {
    re: T,
    im: T,
}

impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Mul for Complex<T> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Complex { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}

impl<T: Copy + Add<Output = T>> Add for Complex<T> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Complex { re: self.re + o.re, im: self.im + o.im }
    }
}

const NODES: [f64; 3] = [-0.7745966692414834, 0.0, 0.7745966692414834];
static WEIGHTS: [f64; 3] = [0.5555555555555556, 0.8888888888888888, 0.5555555555555556];

functional! {
    fn vectors(x: &[f64]) -> f64 {
        let a = Vector { x: x[0], y: x[1], z: x[2] };
        let b = Vector { x: x[3], y: x[4], z: x[5] };
        let mut sum = a;
        for i in 0..4 {
            sum += a.cross(b) * (0.1 * i as f64) - b * sum.norm();
        }
        sum.dot(a) + sum.norm()
    } at noise(1, 6);

    fn matrices(x: &[f64]) -> f64 {
        let mut a = Matrix([[0.0; 3]; 2]);
        for i in 0..2 {
            for j in 0..3 {
                a[(i, j)] = x[3 * i + j];
            }
        }
        let square = a * a.transpose();
        let back = square * square * a;
        back[(0, 0)] + back[(1, 2)] * square[(0, 1)]
    } at noise(2, 6);

    fn complex_numbers_until_they_escape(x: &[f64]) -> f64 {
        let c = Complex { re: x[0], im: x[1] };
        let mut z = c;
        let mut n = 0;
        while z.re * z.re + z.im * z.im < 4.0 && n < 20 {
            z = z * z + c;
            n += 1;
        }
        z.re * z.im + f64::from(n)
    } at [0.3, 0.5], [-0.1, 0.2], [1.0, 1.0];

    fn constants_and_statics(x: &[f64]) -> f64 {
        NODES.iter().zip(WEIGHTS.iter()).map(|(n, w)| w * (x[0] * n + x[1]).exp()).sum()
    } at [0.4, 1.2];

    fn functions_of_other_crates(x: &[f64]) -> f64 {
        testing::dot(x, x) + testing::dot(&x[1..], &x[..x.len() - 1])
    } at [0.4, 1.2, -0.3];
}
