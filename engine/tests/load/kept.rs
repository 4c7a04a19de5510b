//! What `core` asks of variants, and what comes in its place.

use crate::layout::TYPES;
use crate::parse;
use cotangent_engine::llvm::Module;
use cotangent_engine::load::layout::kept;

/// Functions that ask, as `core` has them, of a type by its number in the types.
fn asking(ty: u32) -> Module {
    asking_where(ty, false)
}

fn asking_where(ty: u32, is_shared: bool) -> Module {
    parse(&format!(
        "{TYPES}
declare void @__ct_absent(ptr)
declare zeroext i1 @__ct_varies(ptr, i1 zeroext)
declare i8 @__ct_found(ptr, ptr)
declare void @llvm.dbg.declare(metadata, metadata, metadata)
!80 = !DIDerivedType(tag: DW_TAG_pointer_type, name: \"&mut T\", baseType: !{ty}, size: 64)
!81 = !DILocalVariable(name: \"place\", scope: !4, file: !2, line: 1, type: !80, arg: 1)
define i8 @f(ptr %place, ptr %noted) !dbg !4 {{
  call void @llvm.dbg.declare(metadata ptr %place, metadata !81, metadata !DIExpression()), !dbg !5
  call void @__ct_absent(ptr %place), !dbg !5
  %varies = call zeroext i1 @__ct_varies(ptr %place, i1 zeroext {is_shared}), !dbg !5
  call void @use(i1 %varies), !dbg !5
  %lost = call i8 @__ct_found(ptr %place, ptr %noted), !dbg !5
  ret i8 %lost, !dbg !5
}}
declare void @use(i1)"
    ))
}

/// The lines of a function without positions.
fn lines(module: Module, name: &str) -> Vec<String> {
    let text = module.to_string();
    let is_begin = |line: &&str| line.starts_with("define") && line.contains(&format!("@{name}("));
    let body = text.lines().skip_while(|line| !is_begin(line)).skip(1).take_while(|line| *line != "}");
    body.map(|line| line.split(", !dbg").next().unwrap_or(line).trim().to_owned()).collect()
}

fn lowered(ty: u32) -> Module {
    let module = asking(ty);
    kept::lower(module).map_err(|errors| errors[0].to_string()).expect("types are known");
    module
}

#[test]
fn where_no_variant_is_with_floats_they_are_all_set_to_zero() {
    // `Option<(f64, f32)>`: `None` is 0, and its floats would lie behind 8 bytes.
    let absent = lines(lowered(30), "ct.absent").join("\n");
    let none = absent.split("variant:").nth(1).and_then(|rest| rest.split("variant1:").next()).expect("two variants");
    assert!(none.contains("i64 8\n") && none.contains("i8 0, i64 12, i1 false)"), "{absent}");
    let some = absent.split("variant1:").nth(1).expect("two variants");
    assert!(!some.contains("memset") && !some.contains("store"), "{absent}");
}

#[test]
fn a_number_at_the_place_of_a_float_is_set_to_zero_where_it_would_be_one() {
    // `enum { F(f64), N(u64) }`: 9218868437227405312 are the bits of an exponent.
    let absent = lines(lowered(40), "ct.absent").join("\n");
    let stores = absent.matches("store").count();
    assert!(absent.contains("9218868437227405312") && absent.contains("select i1") && stores == 1, "{absent}");
}

#[test]
fn whether_a_type_has_variants_is_known_when_it_is_compiled() {
    for (ty, varies) in [(20, "false"), (30, "true"), (40, "true"), (60, "false")] {
        let caller = lines(lowered(ty), "f");
        assert!(caller.contains(&format!("call void @use(i1 {varies})")), "{ty}: {caller:?}");
        assert!(!caller.iter().any(|line| line.contains("__ct_")), "{ty}: {caller:?}");
    }
}

#[test]
fn behind_a_shared_reference_only_cells_have_variants_that_may_change() {
    for (ty, varies) in [(20, "false"), (40, "false"), (82, "false"), (85, "true")] {
        let module = asking_where(ty, true);
        kept::lower(module).map_err(|errors| errors[0].to_string()).expect("types are known");
        let caller = lines(module, "f");
        assert!(caller.contains(&format!("call void @use(i1 {varies})")), "{ty}: {caller:?}");
    }
}

#[test]
fn another_variant_gets_its_number_back_and_keeps_its_floats() {
    let found = lines(lowered(40), "ct.found").join("\n");
    // The number that tells the variant in both, the number of `N`, also where it stays `N`, and the float of `F` as it is, or zero; of that it is asked whether it was
    // zero.
    let stores = found.lines().filter(|line| line.starts_with("store i64")).count();
    assert!(stores == 5 && found.contains("shl i64") && !found.contains("store double"), "{found}");
}

#[test]
fn a_type_that_debug_information_does_not_tell_is_an_error() {
    let module = parse(
        "declare void @__ct_absent(ptr)
define void @f(ptr %place) {
  call void @__ct_absent(ptr %place)
  ret void
}",
    );
    let errors = kept::lower(module).expect_err("nothing is known of the type");
    assert!(errors[0].to_string().contains("variants of an enum in a shadow are not known"), "{}", errors[0]);
}

#[test]
fn enums_with_floats_behind_pointers_are_told_by_the_sizes_of_their_tags() {
    let function = |module: Module| module.function("f").expect("the test has a function");
    // A record leads to records alone; nothing leads to an enum by a pointer where the enum is there itself.
    assert_eq!(kept::untold(function(asking(20))), [0u64; 0]);
    assert_eq!(kept::untold(function(asking(40))), [0u64; 0]);
    // A cell knows what it holds by its type argument, and yet is no pointer.
    assert_eq!(kept::untold(function(asking(85))), [0u64; 0]);
    let behind = asking(82);
    assert_eq!(kept::untold(function(behind)), [8]);
}
