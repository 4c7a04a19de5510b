//! The numbers of the errors, and what `cargo cotangent explain` tells about each: one row per number.

use std::fmt;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal: $explain:literal;)+) => {
        /// The number of an error. CT01: requests and toolchain; CT02: callees; CT03: types; CT04: memory; CT05: limits; CT09: internal.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[doc = $doc])+ $name,)+ }

        impl Code {
            /// All of them, in order.
            pub const ALL: &[Code] = &[$(Code::$name),+];

            /// The number as printed, such as `CT0203`.
            pub fn text(self) -> &'static str {
                match self { $(Code::$name => $text,)+ }
            }

            /// What the error means and what to do, in a few sentences.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$name => $explain,)+ }
            }
        }
    };
}

codes! {
    /// A request that the pass cannot read.
    Request = "CT0101":
"The call that asks for a derivative could not be read: the function to differentiate or the description of its parameters is not a
constant in the compiled program. Derivatives are asked for with `#[autodiff]` or with a function of the crate `cotangent`; the
marker functions `__ct_forward` and `__ct_reverse` behind them are not to be called in any other way.";
    /// A compiler with another LLVM than the driver's.
    Toolchain = "CT0102":
"The driver differentiates with the LLVM library of the rustc that it was built with. The program was compiled by a rustc with another
one. Install the driver anew with the toolchain that builds the program (`cargo +<toolchain> install --force cargo-cotangent`), or
build the program with the toolchain that the message names.";
    /// Library and driver of different versions.
    Version = "CT0103":
"The crate `cotangent` in the program and the installed driver `cargo-cotangent` are of different versions and do not understand each
other. Update the one that is older: `cargo update -p cotangent`, or `cargo install --force cargo-cotangent`.";
    /// A callee without a body and without a rule.
    NoBody = "CT0201":
"The differentiated function calls a function whose body the compiler cannot see (an `extern` function, a library in another language)
and for which there is no rule, and derivatives flow through the call. Give the function a derivative with
`cotangent::derivative_rule!`, or, if it does not take part in the derivative, `#[custom_derivative(inactive)]`:

    cotangent::derivative_rule!{ vendor::norm: fn(&[f64]) -> f64, reverse = norm_vjp }";
    /// Inline assembly.
    Assembly = "CT0202":
"The differentiated function contains inline assembly (`asm!`) through which derivatives flow. The compiler cannot know what it
computes. Move it into a function of its own and give that a derivative with `#[custom_derivative]`.";
    /// A call through a pointer that is not known.
    UnknownPointer = "CT0203":
"The differentiated function calls through a function pointer or a `dyn Trait`, and no function of the program can be meant, or an
active value goes into a call that has no table of those that can. Make the caller generic (`impl Fn` instead of `&dyn Fn`), or match over the possible
functions and call each by name.";
    /// Floats are accessed through a pointer that leads nowhere that is known.
    UnknownType = "CT0301":
"A floating-point number is read or written through a pointer of which nothing in the function tells to which memory it leads, so that its derivative would be
lost. Pass the memory as an argument, or give the function that makes the pointer a derivative with `#[custom_derivative]`. At run time: a pointer is followed
that nobody has put where it was found, as that of a variant that the function never makes.";
    /// Bytes are used as floats and as something else.
    MixedType = "CT0302":
"The same bytes are used as floating-point numbers in one place and as integers or pointers in another, or are copied where nothing tells what they are, while
derivatives flow through them. Use `to_bits` and `from_bits` on constant values only, or give the function a derivative with
`#[custom_derivative]`.";
    /// A value that carries derivatives is stored into a static.
    Static = "CT0401":
"A value that depends on the active inputs is stored into a `static`, which has no shadow to carry its derivative. Pass the memory
as a parameter (`&mut`, Duplicated), or store a copy whose derivative does not matter outside of the differentiated function.";
    /// A value that carries derivatives is lost in constant memory.
    ConstantMemory = "CT0402":
"A value that depends on the active inputs is stored into memory that was passed as `Const`, or captured, and read back from there. As such memory
has no shadow, its derivative would be lost. Pass the parameter as `Duplicated`. Where a reference may lead there or to active memory, it
is known only at run time which of them is written to, and the program ends with this message when a derivative would be lost. Of a
`static` or constant, copy into a local what is referred to beside active memory.";
    /// An instruction or a shape of code that is not supported yet.
    Unsupported = "CT0501":
"The differentiated function does something that this version cannot differentiate; the message names it. Rewrite the line as the
message's help says, or give the function around it a derivative with `#[custom_derivative]`.";
    /// A mistake of the pass itself.
    Internal = "CT0901":
"The compiler contradicted itself while it made the derivative. This is never your program's mistake. Please report it with the function
that shows it; `COTANGENT_DUMP=all` prints what the compiler had at each stage, `COTANGENT_CHECK=1` finds the stage at fault.";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// What the error with this number means and what to do; upper and lower case are the same.
///
/// ```
/// assert!(cotangent_engine::diag::explain("ct0203").unwrap().contains("dyn Trait"));
/// assert_eq!(cotangent_engine::diag::explain("CT9999"), None);
/// ```
pub fn explain(code: &str) -> Option<&'static str> {
    Code::ALL.iter().find(|c| c.text().eq_ignore_ascii_case(code.trim())).map(|c| c.explanation())
}
