//! Functions that are differentiated through another body than their own: `core/src/models` of the library that users link has the
//! bodies.
use cotangent_engine::rule::{Entry, Model, ModelPattern};

fn symbol(name: &str) -> ModelPattern {
    ModelPattern::Symbol(name.to_owned())
}

fn path(path: &str) -> ModelPattern {
    ModelPattern::Path(path.to_owned())
}

/// A function of C's library and of the `libm` crate, for both float types.
fn scalar(name: &str, note: &'static str) -> Model {
    let entries = [name.to_owned(), format!("{name}f")].into_iter().flat_map(|name| {
        let of_c = Entry { patterns: vec![symbol(&name)], symbols: vec![format!("__ct_model_{name}_c")] };
        let patterns = vec![path(&format!("libm::math::*::{name}"))];
        [of_c, Entry { patterns, symbols: vec![format!("__ct_model_{name}_rs")] }]
    });
    Model { title: format!("`{name}`, `{name}f`"), note, entries: entries.collect() }
}

/// A routine whose model has its name.
fn as_it_is_called(name: &str) -> Entry {
    Entry { patterns: vec![symbol(name)], symbols: vec![format!("__ct_model_{name}")] }
}

/// Routines of BLAS under C's names and Fortran's, for both float types.
fn blas(names: &[&str], note: &'static str) -> Model {
    let named = |name: &&str| {
        let both = ['d', 's'].into_iter().flat_map(|float| {
            let c = format!("cblas_{float}{name}");
            let symbols = [32, 64].map(|bits| format!("__ct_model_{c}_{bits}")).into();
            let fortran = format!("{float}{name}_");
            [Entry { patterns: vec![symbol(&c)], symbols }, as_it_is_called(&fortran)]
        });
        both.collect::<Vec<_>>()
    };
    let titles: Vec<String> = names.iter().map(|name| format!("`cblas_d{name}`, `d{name}_`")).collect();
    Model { title: titles.join(", ") + ", and `s`", note, entries: names.iter().flat_map(named).collect() }
}

/// Routines of LAPACK under the names of Fortran and of `LAPACKE`, for both float types.
fn lapack(names: &[&str], note: &'static str) -> Model {
    let symbols = |name: &&str| {
        ['d', 's']
            .into_iter()
            .flat_map(|float| [format!("{float}{name}_"), format!("LAPACKE_{float}{name}")])
            .collect::<Vec<_>>()
    };
    let entry = |name: String| as_it_is_called(&name);
    let titles: Vec<String> = names.iter().map(|name| format!("`d{name}_`, `LAPACKE_d{name}`")).collect();
    Model { title: titles.join(", ") + ", and `s`", note, entries: names.iter().flat_map(symbols).map(entry).collect() }
}

/// What is said of products.
const PRODUCT: &str = "the product `C += alpha * A * B`; each of its derivatives is a product, computed by the same routine where the layout permits";

/// Products by `matrixmultiply`.
fn strided(names: &[&str], note: &'static str) -> Model {
    let entry = |name: &&str| {
        let patterns = vec![path(&format!("matrixmultiply::gemm::{name}"))];
        Entry { patterns, symbols: vec![format!("__ct_model_matrixmultiply_{name}")] }
    };
    let title = format!("`matrixmultiply::{{{}}}`", names.join(", "));
    Model { title, note, entries: names.iter().map(entry).collect() }
}

/// A method of complex numbers, under the names that both manglings give it.
fn complex(name: &str) -> Entry {
    let texts = [
        format!("num_complex::Complex::{name}"),
        format!("<num_complex::Complex<f64>>::{name}"),
        format!("<num_complex::Complex<f32>>::{name}"),
    ];
    let symbols = ["", "f"].map(|width| format!("__ct_model_complex_{name}{width}")).into();
    Entry { patterns: texts.iter().map(|text| path(text)).collect(), symbols }
}

/// A method of `rustfft`'s plans.
fn fourier(name: &str) -> Entry {
    let symbols = ["f64", "f32"].map(|float| format!("__ct_model_rustfft_{name}_{float}")).into();
    Entry { patterns: vec![path(&format!("rustfft::Fft::{name}"))], symbols }
}

/// Every model.
pub(crate) fn rows() -> Vec<Model> {
    vec![
        strided(&["dgemm", "sgemm"], PRODUCT),
        strided(
            &["zgemm", "cgemm"],
            "the same product of complex numbers; its adjoints are products with conjugated operands, by the same routine",
        ),
        Model {
            title: "`gemm::gemm` of `f64` and `f32`".to_owned(),
            note: PRODUCT,
            entries: vec![Entry {
                patterns: vec![path("gemm::gemm::gemm")],
                symbols: ["gemm_f64", "gemm_f32", "gemm_threads_f64", "gemm_threads_f32"]
                    .map(|name| format!("__ct_model_{name}"))
                    .into(),
            }],
        },
        blas(&["gemm"], PRODUCT),
        blas(
            &["dot", "gemv", "ger", "symv", "symm", "syrk", "syr2k", "trmv", "trmm"],
            "the product, in loops; a half that is not referenced has no adjoint; for `beta = 0` the derivative by `beta` is 0",
        ),
        blas(&["axpy", "scal", "copy", "swap", "rot", "syr", "asum"], "loops"),
        blas(&["nrm2"], "`x / r`; 0 where all is 0"),
        blas(
            &["trsv", "trsm"],
            "the solution `X` of `T * X = B`: another solution with the transposed matrix, and a product",
        ),
        lapack(&["potrf"], "Cholesky's factor: solutions on both sides; NaN where there is no factor"),
        lapack(
            &["getrf"],
            "the factors `L * U`: solutions on both sides, with the rows in their order; NaN where a pivot is 0",
        ),
        lapack(
            &["potrs", "posv", "trtrs", "getrs", "gesv", "getri"],
            "as the factors and the solutions that they are made of",
        ),
        Model {
            title: "`rustfft`: `process` and `process_{,outofplace_,immutable_}with_scratch` of all plans".to_owned(),
            note: "the transform of the tangent, by the same plan; its conjugate transposed of the adjoint, by one of our own; what is left in \
                   scratch space has no derivative",
            entries: [
                "process",
                "process_with_scratch",
                "process_outofplace_with_scratch",
                "process_immutable_with_scratch",
            ]
            .map(fourier)
            .into(),
        },
        Model {
            title: "`num_complex::Complex::{sqrt, cbrt}`".to_owned(),
            note: "`1 / (2 * r)`, `1 / (3 * r^2)`, on the axes too, where the bodies branch; NaN at 0",
            entries: vec![complex("sqrt"), complex("cbrt")],
        },
        scalar("sincos", "`sin(x)` and `cos(x)`"),
        scalar("modf", "`x - trunc(x)` and `trunc(x)`: partials 1 and 0, at whole numbers too"),
        scalar("frexp", "`x * 2^-n` with the integer `n` held"),
        scalar("remquo", "`remainder(x, y)`; the quotient is an integer"),
        Model {
            title: "`lgamma_r`, `lgammaf_r` of the `libm` crate".to_owned(),
            note: "`lgamma(x)`; the sign is an integer",
            entries: ["lgamma", "lgammaf"]
                .map(|name| {
                    let patterns = vec![path(&format!("libm::math::*::{name}_r"))];
                    Entry { patterns, symbols: vec![format!("__ct_model_{name}_rs")] }
                })
                .into(),
        },
    ]
}
