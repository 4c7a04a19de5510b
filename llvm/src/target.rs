//! Targets, pass pipelines, object files.
use crate::{Module, c_string, take_message};
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::target_machine::*;
use llvm_sys::transforms::pass_builder::*;
use std::ffi::CStr;
use std::path::Path;
use std::sync::Once;

/// A machine to compile for.
pub struct Target(LLVMTargetMachineRef);

/// Switches of the optimiser beside the pipeline's text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tuning {
    /// The inliner's threshold, where not LLVM's own.
    pub inline_threshold: Option<i32>,
    /// No vectorising and no unrolling.
    pub plain_loops: bool,
}

static INITIALISED: Once = Once::new();

fn initialise() {
    // SAFETY: initialisers may be called at any time, here once.
    INITIALISED.call_once(|| unsafe {
        // A value behind a loop is written as a closed form also where that takes a division: trip counts are found so.
        // What can never be reached traps, as rustc has it: a function without any code would share its address with the next one, and a panic that goes through
        // that would find the wrong one's table.
        let arguments = [
            c"cotangent".as_ptr(),
            c"-replexitval=always".as_ptr(),
            c"-trap-unreachable".as_ptr(),
            c"-no-trap-after-noreturn".as_ptr(),
        ];
        let count = arguments.len() as i32;
        llvm_sys::support::LLVMParseCommandLineOptions(count, arguments.as_ptr(), std::ptr::null());
        #[cfg(target_arch = "x86_64")]
        {
            use llvm_sys::target::*;
            LLVMInitializeX86TargetInfo();
            LLVMInitializeX86Target();
            LLVMInitializeX86TargetMC();
            LLVMInitializeX86AsmPrinter();
            LLVMInitializeX86AsmParser();
        }
        #[cfg(target_arch = "aarch64")]
        {
            use llvm_sys::target::*;
            LLVMInitializeAArch64TargetInfo();
            LLVMInitializeAArch64Target();
            LLVMInitializeAArch64TargetMC();
            LLVMInitializeAArch64AsmPrinter();
            LLVMInitializeAArch64AsmParser();
        }
    });
}

impl Target {
    /// The machine of a triple (`""`: this one); `cpu` and `features` as rustc passes them (`""`: the plain one), `level` 0 to 3.
    ///
    /// # Errors
    /// LLVM does not know the triple.
    pub fn new(triple: &str, cpu: &str, features: &str, level: u32) -> Result<Target, String> {
        initialise();
        let level = match level {
            0 => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
            1 => LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
            2 => LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
            _ => LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
        };
        // SAFETY: LLVM's own text, which is ours to free.
        let triple =
            if triple.is_empty() { take_message(unsafe { LLVMGetDefaultTargetTriple() }) } else { triple.to_owned() };
        let (c_triple, cpu, features) = (c_string(&triple), c_string(cpu), c_string(features));
        // SAFETY: C strings outlive the calls; a failed look-up hands out a message.
        unsafe {
            let mut target = std::ptr::null_mut();
            let mut message = std::ptr::null_mut();
            if LLVMGetTargetFromTriple(c_triple.as_ptr(), &mut target, &mut message) != 0 {
                return Err(take_message(message));
            }
            let machine = LLVMCreateTargetMachine(
                target,
                c_triple.as_ptr(),
                cpu.as_ptr(),
                features.as_ptr(),
                level,
                LLVMRelocMode::LLVMRelocPIC,
                LLVMCodeModel::LLVMCodeModelDefault,
            );
            if machine.is_null() { Err(format!("no code generator for {triple}")) } else { Ok(Target(machine)) }
        }
    }

    /// Compiles a module to an object file.
    ///
    /// # Errors
    /// The code generator's message, or that the file cannot be written.
    pub fn emit_object(&self, module: Module, path: &Path) -> Result<(), String> {
        let path = c_string(&path.to_string_lossy());
        let mut message = std::ptr::null_mut();
        // SAFETY: live handles; the message is ours.
        let failed = unsafe {
            LLVMTargetMachineEmitToFile(
                self.0,
                module.0,
                path.as_ptr().cast_mut(),
                LLVMCodeGenFileType::LLVMObjectFile,
                &mut message,
            )
        };
        let text = take_message(message);
        if failed == 0 { Ok(()) } else { Err(text) }
    }
}

/// See [`Module::run_passes`].
pub(crate) fn run_passes(
    module: Module,
    pipeline: &str,
    target: Option<&Target>,
    tuning: Tuning,
) -> Result<(), String> {
    initialise();
    let text = c_string(pipeline);
    // SAFETY: options are created and disposed of here; an error message is read, then disposed of.
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        let loops = i32::from(!tuning.plain_loops);
        LLVMPassBuilderOptionsSetLoopVectorization(options, loops);
        LLVMPassBuilderOptionsSetSLPVectorization(options, loops);
        LLVMPassBuilderOptionsSetLoopInterleaving(options, loops);
        LLVMPassBuilderOptionsSetLoopUnrolling(options, loops);
        if let Some(threshold) = tuning.inline_threshold {
            LLVMPassBuilderOptionsSetInlinerThreshold(options, threshold);
        }
        let machine = target.map_or(std::ptr::null_mut(), |t| t.0);
        let error = LLVMRunPasses(module.0, text.as_ptr(), machine, options);
        LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(format!("{text} (in the pipeline `{pipeline}`)"))
    }
}

/// See [`crate::Function::run_passes`].
pub(crate) fn run_passes_on(function: crate::Function, pipeline: &str) -> Result<(), String> {
    initialise();
    let text = c_string(pipeline);
    // SAFETY: as in `run_passes`.
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        let error = LLVMRunPassesOnFunction(function.0, text.as_ptr(), std::ptr::null_mut(), options);
        LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(format!("{text} (in the pipeline `{pipeline}`)"))
    }
}
