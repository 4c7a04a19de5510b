//! Functions of Rust's library, of C's and of the tape that are no functions of floats.
//!
//! **Invariant:** a row that says [`Effect::Inactive`] of a whole module or trait holds for everything in it: nothing there hands
//! a float on from an argument to a result, or returns memory into which its caller writes floats (but texts, paths, plans). (`rand_distr` and
//! `rand::Rng` are not here for that reason: `mean + sd * z` and `lo + u * (hi - lo)` carry derivatives. Nor is all of `std::io`: a `Vec<u8>` and a
//! `Cursor` are files in memory, through which the bytes of floats can go.)
use cotangent_contract as contract;
use cotangent_engine::rule::{Effect, EffectPattern, EffectRow, Family, Known, Size, Untold};

/// What is known of paths.
pub const KNOWN: &[(Known, &[&str])] = &[
    // They count references and set lengths while they give memory back. (The owners' destructors are what they call.)
    (Known::Quiet, &["alloc", "hashbrown", "indexmap"]),
    // Their statics are for their own books. (The hook for panics, which a program sets, is called where a derivative has ended.)
    (Known::OwnState, &["alloc", "core", "std"]),
    // What hands work on to other threads. It takes minutes to find out from its body that there is no derivative.
    (Known::Closed, &["rayon_core", "thread_tree", "crossbeam_deque", "crossbeam_channel", "crossbeam_epoch"]),
    // What calls `main`: no other pointer to a function leads there.
    (Known::Start, &["std::rt::lang_start", "std::rt::lang_start_internal"]),
    // What `mem::swap` and its like come down to.
    (Known::Swap, &["core::ptr::swap_nonoverlapping_bytes"]),
    (
        Known::Read,
        &[
            "<u32 as core::clone::Clone>::clone",
            "<u64 as core::clone::Clone>::clone",
            "<usize as core::clone::Clone>::clone",
            "<i32 as core::clone::Clone>::clone",
            "<i64 as core::clone::Clone>::clone",
            "<isize as core::clone::Clone>::clone",
        ],
    ),
    // What tells the entries of a table in use from others: single bytes, and none of a float.
    (Known::Mark, &["hashbrown::control::tag::Tag"]),
    (Known::Text, &["alloc::string::String"]),
    // Vectors, queues and heaps.
    (Known::Row, &["alloc::raw_vec::RawVec"]),
    (Known::Counted, &["alloc::rc::Rc", "alloc::sync::Arc"]),
];

/// What moves values by their size alone: a table that grows, of whatever type its entries are.
pub const UNTOLD: &[Untold] = &[Untold {
    of: "hashbrown::raw::RawTableInner",
    methods: &["reserve_rehash_inner", "resize_inner", "rehash_in_place"],
    told_by: "hashbrown::raw::RawTable",
}];

/// Rust's modules, types and traits without derivatives.
const INACTIVE_PATHS: &[&str] = &[
    // Printing, files, sockets.
    "std::io::stdio",
    "std::io::buffered",
    "std::io::error",
    "std::io::pipe",
    "std::io::default_write_fmt",
    "std::io::Write::write_fmt",
    "std::io::Write::flush",
    "std::io::BufRead::read_line",
    "std::io::Read::read_to_string",
    "std::fs",
    "std::net",
    "std::path",
    "std::ffi",
    "std::process",
    // Loggers, which are called through pointers that the program sets as it runs.
    "log::Log",
    "tracing_core",
    "tracing::__macro_support",
    // Time and surroundings.
    "std::time",
    "core::time",
    "std::env",
    "std::sys::pal::unix::futex",
    "std::sys::thread_local::destructors",
    "std::thread::functions::sleep",
    "std::thread::sleep",
    // Panics; those that do not return are recognised by that, these count and look.
    "core::panicking",
    "std::panicking",
    "core::panic",
    "std::panic::Location",
    "alloc::alloc::handle_alloc_error",
    "__rustc::__rust_no_alloc_shim_is_unstable",
    "__rustc::__rust_no_alloc_shim_is_unstable_v2",
    "__rustc::__rust_alloc_error_handler",
    "__rustc::rust_begin_unwind",
    "__rustc::rust_panic",
    // Random generators: what they give depends on their state alone.
    "rand_core",
    "rand_chacha",
    "rand_pcg",
    "rand_xoshiro",
    "rand_xorshift",
    "rand_isaac",
    "rand_hc",
    "rand_mt",
    "rand::rngs",
    "oorandom",
    "getrandom",
    "chacha20",
    // Plans of Fourier transforms depend on lengths alone.
    "rustfft::plan",
    "rustfft::avx::avx_planner",
    "rustfft::sse::sse_planner",
    "rustfft::neon::neon_planner",
    "rustfft::wasm_simd::wasm_simd_planner",
];

/// The same, where text is made of what is given, and nothing else comes of it.
const TEXT_PATHS: &[&str] = &[
    "alloc::fmt::format",
    "alloc::string::ToString",
    "core::fmt::Write::write_fmt",
    "core::fmt::Write::write_str",
    "core::fmt::Write::write_char",
    "core::fmt::Display",
    "core::fmt::Debug",
    "core::fmt::LowerExp",
    "core::fmt::UpperExp",
];

/// What puts pointers to what is printed together, and is a function like any other: what it leaves where is no guess then.
const ARGUMENTS_PATHS: &[&str] =
    &["core::fmt::rt::Argument", "core::fmt::Arguments::new", "core::fmt::Arguments::from_str"];

/// What else has to do with that.
const FORMATTING_PATHS: &[&str] = &["core::fmt", "alloc::fmt"];

/// What prints what was put together so: it leaves none of the pointers anywhere.
const PRINTING_PATHS: &[&str] = &["std::io::stdio::_print", "std::io::stdio::_eprint", "log::__private_api"];

/// The same, on plain memory: comparisons of bytes.
const PRIVATE_SYMBOLS: &[&str] = &["strlen", "strcmp", "strncmp", "memcmp", "bcmp"];

/// The same of Rust, where it may write to what its first argument points to: hashers and where their keys come from.
const PRIVATE_PATHS: &[&str] = &[
    "std::hash::random",
    "foldhash::seed::gen_per_hasher_seed",
    "foldhash::seed::global::GlobalSeed::init_slow",
    "<foldhash::seed::global::GlobalSeed>::init_slow",
];

/// The plain generators of `fastrand`; its `shuffle` and `choice` move the caller's values, so the crate as a whole is not here.
macro_rules! fastrand {
    ($($name:literal)*) => {
        &[$(concat!("fastrand::global_rng::", $name), concat!("fastrand::", $name), concat!("<fastrand::Rng>::", $name)),*]
    };
}
const FASTRAND: &[&str] =
    fastrand!["bool" "f32" "f64" "i32" "i64" "isize" "seed" "u8" "u16" "u32" "u64" "u128" "usize"];

/// C functions without derivatives.
const INACTIVE_SYMBOLS: &[&str] = &[
    "printf",
    "fprintf",
    "snprintf",
    "puts",
    "putchar",
    "fputs",
    "fwrite",
    "fflush",
    "write",
    "writev",
    "read",
    "open",
    "close",
    "clock_gettime",
    "gettimeofday",
    "time",
    "clock",
    "nanosleep",
    "getenv",
    "getrandom",
    "rand",
    "srand",
    "memchr",
    "getpid",
    "sched_yield",
    "syscall",
    "__errno_location",
];

/// Intrinsics without any effect of their own.
const MARKERS: &[&str] = &[
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.assume",
    "llvm.donothing",
    "llvm.sideeffect",
    "llvm.pseudoprobe",
    "llvm.experimental.noalias.scope.decl",
    "llvm.invariant.start",
    "llvm.invariant.end",
    "llvm.fake.use",
    "llvm.var.annotation",
];

/// Intrinsics that give integers or nothing.
const INACTIVE_INTRINSICS: &[&str] = &[
    "llvm.trap",
    "llvm.debugtrap",
    "llvm.ubsantrap",
    "llvm.prefetch",
    "llvm.readcyclecounter",
    "llvm.readsteadycounter",
    "llvm.threadlocal.address",
    "llvm.objectsize",
    "llvm.returnaddress",
    "llvm.eh.typeid.for",
    "llvm.clear_cache",
    "llvm.x86.sse.movmsk",
    "llvm.x86.sse2.movmsk",
    "llvm.x86.sse.cvtss2si",
    "llvm.x86.sse.cvttss2si",
    "llvm.x86.sse2.cvtps2dq",
    "llvm.x86.sse2.cvttps2dq",
];

fn allocators() -> Vec<(EffectPattern, Effect)> {
    use EffectPattern::{Path, Symbol};
    let allocate = |size, align, zeroed, family| Effect::Allocate { size, align, zeroed, family };
    let (operand, rust, c) = (Size::Operand, Family::Rust, Family::C);
    let rust_free = Effect::Free { pointer: 0, size: Some(1), family: rust };
    let rust_grow = Effect::Reallocate { pointer: 0, old_size: Some(1), new_size: 3, align: Some(2), family: rust };
    let c_free = Effect::Free { pointer: 0, size: None, family: c };
    let c_grow = Effect::Reallocate { pointer: 0, old_size: None, new_size: 1, align: None, family: c };
    let tape_grow =
        Effect::Reallocate { pointer: 0, old_size: Some(1), new_size: 2, align: None, family: Family::Tape };
    let mut rows = vec![
        (Symbol("malloc"), allocate(operand(0), None, false, c)),
        (Symbol("calloc"), allocate(Size::Product(0, 1), None, true, c)),
        (Symbol("aligned_alloc"), allocate(operand(1), Some(0), false, c)),
        (Symbol("memalign"), allocate(operand(1), Some(0), false, c)),
        (Symbol("free"), c_free),
        (Symbol("realloc"), c_grow),
        (Symbol(contract::TAPE_ALLOC), allocate(operand(0), None, false, Family::Tape)),
        (Symbol(contract::TAPE_GROW), tape_grow),
        // A free that was put off: the operands are the freeing function and those that it gets.
        (Symbol(contract::TAPE_DEFER), Effect::Free { pointer: 1, size: Some(2), family: Family::Tape }),
        // Heights of the tape are integers; a release inside a derivative gives back what that derivative took.
        (Symbol(contract::TAPE_MARK), Effect::Inactive),
        (Symbol(contract::TAPE_RELEASE), Effect::Inactive),
    ];
    // The allocator's symbols are mangled since Rust 1.95, and were plain before.
    for (path, plain, effect) in [
        ("__rustc::__rust_alloc", "__rust_alloc", allocate(operand(0), Some(1), false, rust)),
        ("__rustc::__rust_alloc_zeroed", "__rust_alloc_zeroed", allocate(operand(0), Some(1), true, rust)),
        ("__rustc::__rust_dealloc", "__rust_dealloc", rust_free),
        ("__rustc::__rust_realloc", "__rust_realloc", rust_grow),
        // What they forward to, where no other global allocator is set.
        ("__rustc::__rdl_alloc", "__rdl_alloc", allocate(operand(0), Some(1), false, rust)),
        ("__rustc::__rdl_alloc_zeroed", "__rdl_alloc_zeroed", allocate(operand(0), Some(1), true, rust)),
        ("__rustc::__rdl_dealloc", "__rdl_dealloc", rust_free),
        ("__rustc::__rdl_realloc", "__rdl_realloc", rust_grow),
        ("__rustc::__rg_alloc", "__rg_alloc", allocate(operand(0), Some(1), false, rust)),
        ("__rustc::__rg_alloc_zeroed", "__rg_alloc_zeroed", allocate(operand(0), Some(1), true, rust)),
        ("__rustc::__rg_dealloc", "__rg_dealloc", rust_free),
        ("__rustc::__rg_realloc", "__rg_realloc", rust_grow),
    ] {
        rows.push((Path(path), effect));
        rows.push((Symbol(plain), effect));
    }
    rows
}

/// Every row. The allocators come first: their rows are the special cases of the modules below.
pub(crate) fn rows() -> Vec<EffectRow> {
    let copy = Effect::Copy { to: 0, from: 1, size: 2 };
    let mut rows = allocators();
    rows.extend([
        (EffectPattern::Symbol("memcpy"), copy),
        (EffectPattern::Symbol("memmove"), copy),
        (EffectPattern::Symbol("memset"), Effect::Fill { to: 0, byte: 1, size: 2 }),
    ]);
    rows.extend(MARKERS.iter().map(|name| (EffectPattern::Intrinsic(name), Effect::Marker)));
    rows.extend(INACTIVE_INTRINSICS.iter().map(|name| (EffectPattern::Intrinsic(name), Effect::Inactive)));
    rows.extend(INACTIVE_SYMBOLS.iter().map(|name| (EffectPattern::Symbol(name), Effect::Inactive)));
    rows.extend(
        PRIVATE_SYMBOLS.iter().map(|name| (EffectPattern::Symbol(name), Effect::Private { writes_first: false })),
    );
    rows.extend(PRIVATE_PATHS.iter().map(|path| (EffectPattern::Path(path), Effect::Private { writes_first: true })));
    rows.extend(TEXT_PATHS.iter().map(|path| (EffectPattern::Path(path), Effect::Text { again: true })));
    rows.extend(ARGUMENTS_PATHS.iter().map(|path| (EffectPattern::Path(path), Effect::Plain)));
    let tells = FORMATTING_PATHS.iter().chain(PRINTING_PATHS);
    rows.extend(tells.map(|path| (EffectPattern::Path(path), Effect::Text { again: false })));
    rows.extend(INACTIVE_PATHS.iter().chain(FASTRAND).map(|path| (EffectPattern::Path(path), Effect::Inactive)));
    rows.into_iter().map(|(pattern, effect)| EffectRow { pattern, effect }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn allocators_are_recognised_in_both_manglings() {
        let registry = registry();
        let rust = Family::Rust;
        let alloc = Effect::Allocate { size: Size::Operand(0), align: Some(1), zeroed: false, family: rust };
        assert_eq!(registry.effect("_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc"), Some(alloc));
        assert_eq!(registry.effect("__rust_alloc"), Some(alloc));
        assert!(matches!(
            registry.effect("_RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed"),
            Some(Effect::Allocate { zeroed: true, .. })
        ));
        let free = Effect::Free { pointer: 0, size: Some(1), family: rust };
        assert_eq!(registry.effect("_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc"), Some(free));
        assert_eq!(
            registry.effect("_RNvCsfLfy6EI15iL_7___rustc35___rust_no_alloc_shim_is_unstable_v2"),
            Some(Effect::Inactive)
        );
        assert!(matches!(registry.effect("calloc"), Some(Effect::Allocate { size: Size::Product(0, 1), .. })));
    }

    #[test]
    fn what_puts_the_arguments_of_a_text_together_is_a_function_like_any_other() {
        let registry = registry();
        assert_eq!(registry.effect("_ZN4core3fmt2rt8Argument11new_display17h847afdbf24dbed0bE"), None);
        assert_eq!(registry.effect("_ZN4core3fmt9Arguments3new17h73a71039c5fb0bf8E"), None);
        assert!(matches!(
            registry.effect("_ZN4core3fmt9Formatter9write_str17h73a71039c5fb0bf8E"),
            Some(Effect::Text { .. })
        ));
    }

    #[test]
    fn printing_and_time_are_inactive() {
        let registry = registry();
        let print = registry.effect("_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio6__print");
        assert_eq!(print, Some(Effect::Text { again: false }));
        for symbol in ["_RNvMNtCsjrHSEGnQ3l9_3std4timeNtB2_7Instant3now", "clock_gettime"] {
            assert_eq!(registry.effect(symbol), Some(Effect::Inactive), "{symbol}");
        }
        for symbol in [
            "_RNvXs6_NtNtCsgEmfK2I1SDS_4core3fmt5floatdNtB7_5Debug3fmt",
            "_RNvNvNtCslNYArtu3iFV_5alloc3fmt6format12format_inner",
        ] {
            assert_eq!(registry.effect(symbol), Some(Effect::Text { again: true }), "{symbol}");
        }
        let list = "_RNvMsa_NtCsgEmfK2I1SDS_4core3fmtNtB5_9Formatter10debug_list";
        assert_eq!(registry.effect(list), Some(Effect::Text { again: false }));
        assert_eq!(registry.effect("llvm.lifetime.start.p0"), Some(Effect::Marker));
        assert_eq!(registry.effect("llvm.dbg.value"), Some(Effect::Marker));
    }

    #[test]
    fn clones_of_numbers_read_them() {
        let registry = crate::registry();
        assert!(registry.knows(Known::Read, "_RNvXsf_NtNtCsgEmfK2I1SDS_4core5clone5implsyNtB7_5Clone5clone"));
        assert!(!registry.knows(Known::Read, "_RNvXsz_NtNtCsgEmfK2I1SDS_4core5clone5implsdNtB7_5Clone5clone"));
    }

    #[test]
    fn what_may_carry_floats_has_no_effect_row() {
        let registry = registry();
        for symbol in ["_ZN5alloc3vec9from_elem17hed6bfa9003de9cc2E", "user_function", "llvm.memcpy.p0.p0.i64", "sin"] {
            assert_eq!(registry.effect(symbol), None, "{symbol}");
        }
        let effect = |path: &str| {
            let path = cotangent_engine::rule::Path::parse(path);
            registry.effects().iter().find(|row| row.applies("", Some(&path))).map(|row| row.effect)
        };
        assert_eq!(effect("<fastrand::Rng>::shuffle::<f64>"), None);
        assert_eq!(effect("<rand::rngs::StdRng as rand::rng::Rng>::random_range::<f64>"), None);
        assert_eq!(effect("<fastrand::Rng>::f64"), Some(Effect::Inactive));
        assert_eq!(effect("<rand::rngs::StdRng as rand_core::RngCore>::next_u64"), Some(Effect::Inactive));
    }
}
