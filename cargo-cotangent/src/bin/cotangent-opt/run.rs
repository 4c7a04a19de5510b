//! Runs a function of a lone module: a `main` that calls it and prints what it returns is added to the module's text, and the
//! system's `cc` makes a program of it.
use cotangent_engine::llvm::{Context, Module, Target, Type};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Runs a call such as `@f(2.0, 3)`.
///
/// # Errors
/// The call does not fit the module, or the program cannot be made.
pub fn run(module: Module, call: &str) -> Result<(), String> {
    let (name, arguments) = parse(call).ok_or_else(|| format!("error: `{call}` is not of the form `@f(2.0, 3)`"))?;
    let function = module.function(name).ok_or_else(|| format!("error: the module has no function `{name}`"))?;
    let text = format!("{module}\n{}", main_text(module, name, function.ty(), &arguments)?);
    let whole = Context::new().parse_text(&text, "run").map_err(|error| format!("error: {error}"))?;
    let base = std::env::temp_dir().join(format!("cotangent-run-{}", std::process::id()));
    let (object, program) = (base.with_extension("o"), base.with_extension("exe"));
    Target::new(&whole.triple(), "", "", 2)?.emit_object(whole, &object)?;
    let result = build_and_run(&object, &program);
    for path in [&object, &program] {
        // A file that was never made is none to remove.
        let _ = std::fs::remove_file(path);
    }
    result
}

fn build_and_run(object: &Path, program: &Path) -> Result<(), String> {
    let done = |command: &mut Command| match cargo_cotangent::run(command) {
        Ok(0) => Ok(()),
        Ok(code) => Err(format!("error: `{}` ended with {code}", command.get_program().to_string_lossy())),
        Err(error) => Err(format!("error: {error}")),
    };
    done(Command::new("cc").arg(object).arg("-lm").arg("-o").arg(program))?;
    done(&mut Command::new(program))
}

fn parse(call: &str) -> Option<(&str, Vec<&str>)> {
    let (name, rest) = call.trim().trim_start_matches('@').split_once('(')?;
    let arguments = rest.strip_suffix(')')?.split(',').map(str::trim).filter(|argument| !argument.is_empty());
    Some((name, arguments.collect()))
}

/// A `main` in IR.
fn main_text(module: Module, name: &str, ty: Type, arguments: &[&str]) -> Result<String, String> {
    let params = ty.params();
    if params.len() != arguments.len() {
        return Err(format!("error: `{name}` takes {} arguments, not {}", params.len(), arguments.len()));
    }
    let mut values = Vec::new();
    for (param, argument) in params.iter().zip(arguments) {
        values.push(format!("{param} {}", constant(*param, argument)?));
    }
    let result = ty.result();
    let assign = if result.is_void() { "" } else { "%r = " };
    let mut text = String::from("@ct.run.float = private constant [7 x i8] c\"%.17g\\0A\\00\"\n");
    text.push_str("@ct.run.int = private constant [6 x i8] c\"%lld\\0A\\00\"\n");
    if module.function("printf").is_none() {
        text.push_str("declare i32 @printf(ptr, ...)\n");
    }
    let _ = writeln!(text, "define i32 @main() {{\n  {assign}call {result} @\"{name}\"({})", values.join(", "));
    if result.is_struct() {
        for field in 0..result.count() {
            let ty = result.field(field as u32);
            let _ = writeln!(text, "  %r{field} = extractvalue {result} %r, {field}");
            text.push_str(&print(ty, &format!("%r{field}"))?);
        }
    } else if !result.is_void() {
        text.push_str(&print(result, "%r")?);
    }
    text.push_str("  ret i32 0\n}\n");
    Ok(text)
}

/// A constant in IR: floats as the bits of a `double`, which is exact.
fn constant(ty: Type, text: &str) -> Result<String, String> {
    let wrong = |_| format!("error: `{text}` is no {ty}");
    if !ty.is_float() {
        return if ty.is_int() {
            Ok(text.parse::<i64>().map_err(|_| format!("error: `{text}` is no {ty}"))?.to_string())
        } else {
            Err(format!("error: an argument of type {ty} cannot be given on the command line"))
        };
    }
    let value =
        if is_f32(ty) { f64::from(text.parse::<f32>().map_err(wrong)?) } else { text.parse::<f64>().map_err(wrong)? };
    Ok(format!("0x{:016X}", value.to_bits()))
}

/// The lines that print a value.
fn print(ty: Type, value: &str) -> Result<String, String> {
    let wide = format!("%wide.{}", value.trim_start_matches('%'));
    let (conversion, wide, format, wide_type) = if is_f32(ty) {
        (format!("  {wide} = fpext float {value} to double\n"), wide, "float", "double")
    } else if ty.is_float() {
        (String::new(), value.to_owned(), "float", "double")
    } else if ty.is_int() && ty.bits() < 64 {
        (format!("  {wide} = sext {ty} {value} to i64\n"), wide, "int", "i64")
    } else if ty.is_int() {
        (String::new(), value.to_owned(), "int", "i64")
    } else {
        return Err(format!("error: a result of type {ty} cannot be printed"));
    };
    Ok(format!("{conversion}  call i32 (ptr, ...) @printf(ptr @ct.run.{format}, {wide_type} {wide})\n"))
}

fn is_f32(ty: Type) -> bool {
    ty.to_string() == "float"
}
