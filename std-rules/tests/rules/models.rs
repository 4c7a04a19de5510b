//! The table of models against the functions themselves: a symbol that nobody defines would mean, silently, the function's own body.
use std::path::Path;

/// Everything in `core/src/models`.
fn bodies() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src/models");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

/// The routine of BLAS or LAPACK that a symbol is the model of, by the schemes of `core/src/models/{abi,lapack}.rs`.
fn routine(symbol: &str) -> Option<&str> {
    let name = symbol.strip_prefix("__ct_model_")?;
    let name = match (name.strip_prefix("cblas_"), name.strip_prefix("LAPACKE_")) {
        (Some(name), _) => name.strip_suffix("_32").or_else(|| name.strip_suffix("_64"))?,
        (None, Some(name)) => name,
        (None, None) => name.strip_suffix('_')?,
    };
    name.strip_prefix(['d', 's'])
}

#[test]
fn every_model_of_the_table_is_there() {
    let bodies = bodies();
    let registry = cotangent_std_rules::registry();
    let symbols: Vec<&String> =
        registry.models().iter().flat_map(|model| &model.entries).flat_map(|entry| &entry.symbols).collect();
    assert!(symbols.len() > 100, "{} symbols", symbols.len());
    for symbol in symbols {
        let exported = bodies.contains(&format!("\"{symbol}\""));
        let by_scheme = routine(symbol).is_some_and(|name| bodies.contains(&format!("\"{name}\" fn {name}(")));
        assert!(exported || by_scheme, "no function is exported as `{symbol}`");
    }
}

#[test]
fn functions_are_found_by_the_names_that_programs_call_them_by() {
    let registry = cotangent_std_rules::registry();
    for symbol in [
        "cblas_dgemm",
        "sgemm_",
        "dpotrf_",
        "modf",
        "_ZN14matrixmultiply4gemm5dgemm17h2b00a0080d3a7f66E",
        "_ZN14matrixmultiply4gemm5dgemm17h2b00a0080d3a7f66E.12",
        "_ZN14matrixmultiply4gemm5zgemm17h2b00a0080d3a7f66E",
        "_ZN14matrixmultiply4gemm5cgemm17h2b00a0080d3a7f66E",
        "_ZN11num_complex16Complex$LT$T$GT$4sqrt17h5dcbd7dcba311f20E",
        "_ZN4libm4math4modf4modf17h669a74b1a450672cE",
    ] {
        assert!(registry.model(symbol).is_some(), "{symbol}");
    }
    for symbol in ["cblas_zgemm", "dgemm", "modfl", "_ZN4user4gemm5dgemm17h2b00a0080d3a7f66E", "llvm.modf.f64"] {
        assert!(registry.model(symbol).is_none(), "{symbol}");
    }
}
