//! The markers, and what happens when one of them is really called.
//!
//! A marker call stands for a derivative until the driver has replaced it, so in a program that was built with the driver no
//! call is left. In one that was built without it the symbols below are linked instead: they say what is wrong and end the
//! process. They are assembler stubs because a C-variadic function cannot be defined in stable Rust, and because the
//! optimiser must not look into them: seeing that a marker never returns, it would delete the code behind each call.
//! On an architecture without a stub the linker reports the symbols as undefined.
//!
//! The marker of a rule is different: it says no, and its function goes on as if it had no rule. So are those of variants, which do nothing.

use std::ffi::{CStr, c_char};
use std::io::Write;

unsafe extern "C-unwind" {
    /// Asks for the forward-mode derivative of `thunk`; see the contract crate for the operands.
    ///
    /// # Safety
    /// Thunk, request and operands must agree as the contract says.
    pub fn __ct_forward(thunk: *const (), request: *const u8, ...);

    /// Asks for the reverse-mode derivative of `thunk`; see the contract crate for the operands.
    ///
    /// # Safety
    /// Thunk, request and operands must agree as the contract says.
    pub fn __ct_reverse(thunk: *const (), request: *const u8, ...);
}

unsafe extern "C" {
    /// Says that the calling function has a rule; see the contract crate for the operands. True where the result has been written,
    /// which is only ever seen by the differentiation pass: in a program it is false, and the driver takes the call away.
    ///
    /// # Safety
    /// Rule, thunks and operands must agree as the contract says.
    pub fn __ct_rule(rule: *const u8, primal: *const (), ...) -> bool;

    /// Sets floats of absent variants to zero; see the contract crate.
    ///
    /// # Safety
    /// There is an enum at the place, of the type that the calling function's first parameter leads to.
    pub fn __ct_absent(place: *mut u8);

    /// Whether something stays in an enum at the place of a float of another variant; see the contract crate.
    ///
    /// # Safety
    /// As for `__ct_absent`.
    pub fn __ct_stays(place: *const u8) -> bool;

    /// Whether there are enums with floats in a type; see the contract crate.
    ///
    /// # Safety
    /// As for `__ct_absent`, of any type.
    pub fn __ct_varies(place: *const u8, shared: bool) -> bool;

    /// Makes enums the variants that they were; see the contract crate.
    ///
    /// # Safety
    /// As for `__ct_absent`, of any type; at the second place are the bytes of another value of it.
    pub fn __ct_found(place: *mut u8, noted: *const u8) -> u8;
}

#[cfg(all(target_arch = "x86_64", target_vendor = "apple"))]
core::arch::global_asm!(
    ".globl ___ct_forward",
    ".globl ___ct_reverse",
    ".globl ___ct_rule",
    ".globl ___ct_absent",
    ".globl ___ct_varies",
    ".globl ___ct_stays",
    ".globl ___ct_found",
    "___ct_forward:",
    "___ct_reverse:",
    "jmp {missing}",
    "___ct_rule:",
    "___ct_varies:",
    "___ct_stays:",
    "___ct_found:",
    "xor eax, eax",
    "ret",
    "___ct_absent:",
    "ret",
    missing = sym missing_driver,
);

#[cfg(all(target_arch = "aarch64", target_vendor = "apple"))]
core::arch::global_asm!(
    ".globl ___ct_forward",
    ".globl ___ct_reverse",
    ".globl ___ct_rule",
    ".globl ___ct_absent",
    ".globl ___ct_varies",
    ".globl ___ct_stays",
    ".globl ___ct_found",
    ".p2align 2",
    "___ct_forward:",
    "___ct_reverse:",
    "b {missing}",
    "___ct_rule:",
    "___ct_varies:",
    "___ct_stays:",
    "___ct_found:",
    "mov w0, #0",
    "ret",
    "___ct_absent:",
    "ret",
    missing = sym missing_driver,
);

#[cfg(all(target_arch = "x86_64", not(target_vendor = "apple")))]
core::arch::global_asm!(
    ".globl __ct_forward",
    ".globl __ct_reverse",
    ".globl __ct_rule",
    ".globl __ct_absent",
    ".globl __ct_varies",
    ".globl __ct_stays",
    ".globl __ct_found",
    "__ct_forward:",
    "__ct_reverse:",
    "jmp {missing}",
    "__ct_rule:",
    "__ct_varies:",
    "__ct_stays:",
    "__ct_found:",
    "xor eax, eax",
    "ret",
    "__ct_absent:",
    "ret",
    missing = sym missing_driver,
);

#[cfg(all(target_arch = "aarch64", not(target_vendor = "apple")))]
core::arch::global_asm!(
    ".globl __ct_forward",
    ".globl __ct_reverse",
    ".globl __ct_rule",
    ".globl __ct_absent",
    ".globl __ct_varies",
    ".globl __ct_stays",
    ".globl __ct_found",
    ".p2align 2",
    "__ct_forward:",
    "__ct_reverse:",
    "b {missing}",
    "__ct_rule:",
    "__ct_varies:",
    "__ct_stays:",
    "__ct_found:",
    "mov w0, #0",
    "ret",
    "__ct_absent:",
    "ret",
    missing = sym missing_driver,
);

/// Where the stubs end: the first two operands of a marker arrive in the registers of an ordinary function's.
#[cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), expect(dead_code, reason = "no stub calls it"))]
unsafe extern "C" fn missing_driver(_thunk: *const (), request: *const c_char) -> ! {
    // SAFETY: the second operand of each marker is a NUL-terminated constant.
    let text = unsafe { CStr::from_ptr(request) }.to_string_lossy();
    // Not `eprintln!`, which the test harness holds back and the abort would lose.
    let _ = std::io::stderr().write_all(missing_message(&text).as_bytes());
    std::process::abort()
}

/// The optimiser does not see that the stubs use the function; this keeps it, with the parameters as they are.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[used]
static KEEP: unsafe extern "C" fn(*const (), *const c_char) -> ! = missing_driver;

/// What a program without derivatives says; `request` is the text form of the contract's request.
fn missing_message(request: &str) -> String {
    let mut fields = request.split('|').skip(3);
    let name = fields.next().unwrap_or_default();
    let file = fields.next().unwrap_or_default();
    let line = fields.next().unwrap_or_default();
    let place = if file.is_empty() { String::new() } else { format!(" ({file}:{line})") };
    format!(
        "error: the derivative asked for by `{name}`{place} is missing: this program was built without the cotangent driver\n\
         help: build it with `cargo cotangent test`, `run`, `build` or `bench` (after `cargo install cargo-cotangent`),\n      \
         or run `cargo cotangent init` once in the project, after which plain cargo commands work\n"
    )
}

#[cfg(test)]
mod tests {
    use super::missing_message;

    #[test]
    fn the_message_names_function_place_and_commands() {
        let text = missing_message("ct1|reverse|1|loss|src/model.rs|14|5|sd8,od8");
        assert!(text.contains("`loss` (src/model.rs:14)"), "{text}");
        assert!(text.contains("cargo cotangent test") && text.contains("cargo cotangent init"), "{text}");
    }

    #[test]
    fn a_request_without_a_place_has_none_in_the_message() {
        let text = missing_message("ct1|reverse|1|gradient||0|0|sd8,od8");
        assert!(text.contains("`gradient` is missing"), "{text}");
    }
}
