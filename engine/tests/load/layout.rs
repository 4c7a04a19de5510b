//! What copies move, as the types of the source say.

use crate::{no_rules, parse};
use cotangent_engine::llvm::copy_body;
use cotangent_engine::load::layout::{Detail, Types, record_of};

/// Types as rustc writes them. `!20`: `struct Record { wide: f64, narrow: f32, key: u32, next: &Record }`. `!30`: `Option<(f64, f32)>`. `!40`: `enum { F(f64), N(u64) }`. `!60`: `(u32, f64)`. `!62`: `(f64, [u64; 10])`. `!82`: a pointer to `!40`. `!85`: a cell of it.
pub const TYPES: &str = r#"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !2, producer: "test", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "a.rs", directory: "/")
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 1, column: 1, scope: !4)
!6 = !DIBasicType(name: "f64", size: 64, encoding: DW_ATE_float)
!7 = !DIBasicType(name: "f32", size: 32, encoding: DW_ATE_float)
!8 = !DIBasicType(name: "u32", size: 32, encoding: DW_ATE_unsigned)
!9 = !DIBasicType(name: "u64", size: 64, encoding: DW_ATE_unsigned)
!20 = !DICompositeType(tag: DW_TAG_structure_type, name: "Record", file: !2, size: 192, align: 64, elements: !21, identifier: "record")
!21 = !{!22, !23, !24, !25}
!22 = !DIDerivedType(tag: DW_TAG_member, name: "wide", baseType: !6, size: 64)
!23 = !DIDerivedType(tag: DW_TAG_member, name: "narrow", baseType: !7, size: 32, offset: 64)
!24 = !DIDerivedType(tag: DW_TAG_member, name: "key", baseType: !8, size: 32, offset: 96)
!25 = !DIDerivedType(tag: DW_TAG_member, name: "next", baseType: !26, size: 64, offset: 128)
!26 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&Record", baseType: !20, size: 64)
!30 = !DICompositeType(tag: DW_TAG_structure_type, name: "Option<(f64, f32)>", file: !2, size: 192, align: 64, elements: !31, identifier: "option")
!31 = !{!32}
!32 = !DICompositeType(tag: DW_TAG_variant_part, scope: !30, file: !2, size: 192, elements: !33, discriminator: !38)
!33 = !{!34, !35}
!34 = !DIDerivedType(tag: DW_TAG_member, name: "None", baseType: !36, size: 192, extraData: i64 0)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "Some", baseType: !37, size: 192, extraData: i64 1)
!36 = !DICompositeType(tag: DW_TAG_structure_type, name: "None", file: !2, size: 192, elements: !{}, identifier: "none")
!37 = !DICompositeType(tag: DW_TAG_structure_type, name: "Some", file: !2, size: 192, elements: !{!39, !48}, identifier: "some")
!38 = !DIDerivedType(tag: DW_TAG_member, baseType: !9, size: 64)
!39 = !DIDerivedType(tag: DW_TAG_member, name: "__0", baseType: !6, size: 64, offset: 64)
!40 = !DICompositeType(tag: DW_TAG_structure_type, name: "Either", file: !2, size: 128, align: 64, elements: !41, identifier: "either")
!41 = !{!42}
!42 = !DICompositeType(tag: DW_TAG_variant_part, scope: !40, file: !2, size: 128, elements: !43, discriminator: !38)
!43 = !{!44, !45}
!44 = !DIDerivedType(tag: DW_TAG_member, name: "F", baseType: !49, size: 128, extraData: i64 0)
!45 = !DIDerivedType(tag: DW_TAG_member, name: "N", baseType: !46, size: 128, extraData: i64 1)
!46 = !DICompositeType(tag: DW_TAG_structure_type, name: "N", file: !2, size: 128, elements: !{!47}, identifier: "number")
!47 = !DIDerivedType(tag: DW_TAG_member, name: "__0", baseType: !9, size: 64, offset: 64)
!48 = !DIDerivedType(tag: DW_TAG_member, name: "__1", baseType: !7, size: 32, offset: 128)
!49 = !DICompositeType(tag: DW_TAG_structure_type, name: "F", file: !2, size: 128, elements: !{!39}, identifier: "float")
!60 = !DICompositeType(tag: DW_TAG_structure_type, name: "Pair", file: !2, size: 128, align: 64, elements: !{!61, !39}, identifier: "pair")
!61 = !DIDerivedType(tag: DW_TAG_member, name: "__1", baseType: !8, size: 32)
!62 = !DICompositeType(tag: DW_TAG_structure_type, name: "Long", file: !2, size: 704, align: 64, elements: !{!63, !64}, identifier: "long")
!63 = !DIDerivedType(tag: DW_TAG_member, name: "weight", baseType: !6, size: 64)
!64 = !DIDerivedType(tag: DW_TAG_member, name: "numbers", baseType: !65, size: 640, offset: 64)
!65 = !DICompositeType(tag: DW_TAG_array_type, baseType: !9, size: 640, elements: !{!DISubrange(count: 10, lowerBound: 0)})
!66 = !DICompositeType(tag: DW_TAG_structure_type, name: "P", scope: !40, file: !2, size: 128, align: 64, elements: !{!61, !39}, identifier: "variant")
!82 = !DICompositeType(tag: DW_TAG_structure_type, name: "Owner", file: !2, size: 64, align: 64, elements: !{!83}, identifier: "owner")
!83 = !DIDerivedType(tag: DW_TAG_member, name: "either", baseType: !84, size: 64)
!84 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&Either", baseType: !40, size: 64)
!85 = !DICompositeType(tag: DW_TAG_structure_type, name: "UnsafeCell<Either>", file: !2, size: 128, align: 64, elements: !{!86}, templateParams: !{!87}, identifier: "cell")
!86 = !DIDerivedType(tag: DW_TAG_member, name: "value", baseType: !40, size: 128)
!87 = !DITemplateTypeParameter(name: "T", type: !40)
!67 = !DILocalVariable(name: "variant", scope: !4, file: !2, line: 1, type: !66)
!55 = !DILocalVariable(name: "long", scope: !4, file: !2, line: 1, type: !62)
!54 = !DILocalVariable(name: "pair", scope: !4, file: !2, line: 1, type: !60)
!50 = !DILocalVariable(name: "record", scope: !4, file: !2, line: 1, type: !20)
!51 = !DILocalVariable(name: "pointer", scope: !4, file: !2, line: 1, type: !26)
!52 = !DILocalVariable(name: "option", scope: !4, file: !2, line: 1, type: !30)
!53 = !DILocalVariable(name: "either", scope: !4, file: !2, line: 1, type: !40)
"#;

/// A fresh copy of `@f` with what it moves written out: its loads, stores and calls, and the record that the last call was told.
fn written_out(body: &str) -> (Vec<String>, Option<String>) {
    let module =
        parse(&format!("{TYPES}define void @f(ptr %to, ptr %from, i64 %n) !dbg !4 {{\n{body}\n  ret void\n}}"));
    let definition = module.function("f").expect("the test has a function");
    let copy = module.add_function("copy", definition.ty());
    let map = copy_body(definition, copy, true, &mut |_| None);
    Types::new(Detail::Plain).write_out(definition, None, &map, &no_rules());
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    let all = copy.blocks().into_iter().flat_map(|b| b.instructions());
    let moves: Vec<_> = all.filter(|i| ["load", "store", "call"].iter().any(|op| i.to_string().contains(op))).collect();
    let told = moves.last().filter(|last| last.to_string().contains("call")).and_then(|call| record_of(*call));
    let told = told.map(|(runs, size)| {
        runs.iter().map(ToString::to_string).chain([format!("of {size}")]).collect::<Vec<_>>().join(" ")
    });
    let line = |text: String| text.split(", align").next().unwrap_or("").trim().to_owned();
    (moves.into_iter().map(|i| line(i.to_string())).collect(), told)
}

/// A fresh copy of `@f` in which all is moved exactly, before what was left open is written and after.
fn exactly_written_out(body: &str) -> [String; 2] {
    let module =
        parse(&format!("{TYPES}define void @f(ptr %to, ptr %from, i64 %n) !dbg !4 {{\n{body}\n  ret void\n}}"));
    let definition = module.function("f").expect("the test has a function");
    let copy = module.add_function("copy", definition.ty());
    let map = copy_body(definition, copy, true, &mut |_| None);
    let mut types = Types::new(Detail::Exact);
    types.write_out(definition, None, &map, &no_rules());
    let before = copy.value().to_string();
    types.settle(module).unwrap();
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    [before, copy.value().to_string()]
}

fn types_moved(lines: &[String]) -> Vec<&str> {
    let stored = lines.iter().filter_map(|line| line.strip_prefix("store "));
    stored.filter_map(|rest| rest.split(' ').next()).collect()
}

#[test]
fn a_record_is_moved_part_by_part() {
    let (lines, _) = written_out(
        "  %record = alloca [24 x i8], align 8
             #dbg_declare(ptr %record, !50, !DIExpression(), !5)
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 %record, ptr align 8 %from, i64 24, i1 false), !dbg !5",
    );
    assert_eq!(types_moved(&lines), ["double", "float", "i32", "ptr"], "{lines:#?}");
}

#[test]
fn what_a_pointer_leads_to_is_known_where_the_pointer_lies_in_a_variable() {
    let (lines, _) = written_out(
        "  %pointer = alloca ptr, align 8
           store ptr %from, ptr %pointer, align 8
             #dbg_declare(ptr %pointer, !51, !DIExpression(), !5)
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 24, i1 false), !dbg !5",
    );
    assert_eq!(types_moved(&lines), ["ptr", "double", "float", "i32", "ptr"], "{lines:#?}");
}

#[test]
fn a_part_of_a_record_is_moved_as_what_it_is() {
    let (lines, _) = written_out(
        "  %record = alloca [24 x i8], align 8
             #dbg_declare(ptr %record, !50, !DIExpression(), !5)
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %record, i64 12, i1 false), !dbg !5",
    );
    assert_eq!(types_moved(&lines), ["double", "float"], "{lines:#?}");
}

#[test]
fn variants_that_agree_are_moved_part_by_part() {
    let (lines, _) = written_out(
        "  %option = alloca [24 x i8], align 8
             #dbg_declare(ptr %option, !52, !DIExpression(), !5)
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %option, i64 24, i1 false), !dbg !5",
    );
    assert_eq!(types_moved(&lines), ["i64", "double", "float"], "{lines:#?}");
}

#[test]
fn what_is_a_float_in_one_variant_and_a_number_in_another_stays_a_copy() {
    let (lines, told) = written_out(
        "  %either = alloca [16 x i8], align 8
             #dbg_declare(ptr %either, !53, !DIExpression(), !5)
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %either, i64 16, i1 false), !dbg !5",
    );
    assert!(types_moved(&lines).is_empty() && told.is_none(), "{lines:#?} {told:?}");
}

#[test]
fn types_that_disagree_say_nothing() {
    let (lines, told) = written_out(
        "  %option = alloca [24 x i8], align 8
             #dbg_declare(ptr %option, !52, !DIExpression(), !5)
           %either = alloca [16 x i8], align 8
             #dbg_declare(ptr %either, !53, !DIExpression(), !5)
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 %either, ptr align 8 %option, i64 16, i1 false), !dbg !5",
    );
    assert!(types_moved(&lines).is_empty() && told.is_none(), "{lines:#?} {told:?}");
}

#[test]
fn a_copy_of_many_records_is_told_what_each_of_them_is() {
    let (lines, told) = written_out(
        "  %pointer = alloca ptr, align 8
           store ptr %from, ptr %pointer, align 8
             #dbg_declare(ptr %pointer, !51, !DIExpression(), !5)
           %bytes = mul i64 %n, 24
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 %bytes, i1 false), !dbg !5",
    );
    assert_eq!(told.as_deref(), Some("f8x1@0 f4x1@8 i4x1@12 p8x1@16 of 24"), "{lines:#?}");
}

#[test]
fn a_size_that_is_no_multiple_of_the_record_tells_nothing() {
    let (_, told) = written_out(
        "  %pointer = alloca ptr, align 8
           store ptr %from, ptr %pointer, align 8
             #dbg_declare(ptr %pointer, !51, !DIExpression(), !5)
           %bytes = mul i64 %n, 16
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 %bytes, i1 false), !dbg !5",
    );
    assert_eq!(told, None);
}

#[test]
fn floats_that_are_handed_over_as_a_number_are_stored_as_floats() {
    let (lines, _) = written_out(
        "  %option = alloca [24 x i8], align 8
             #dbg_declare(ptr %option, !52, !DIExpression(), !5)
           %part = getelementptr inbounds i8, ptr %option, i64 8
           store i64 %n, ptr %part, align 8, !dbg !5",
    );
    assert_eq!(types_moved(&lines), ["double"], "{lines:#?}");
}

/// The bits of a float may be kept in a number of its width.
#[test]
fn numbers_as_wide_as_the_floats_beside_them_are_left_to_what_is_done_with_them() {
    let (lines, told) = written_out(
        "  %record = alloca [24 x i8], align 8
             #dbg_declare(ptr %record, !50, !DIExpression(), !5)
           %part = getelementptr inbounds i8, ptr %record, i64 8
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %part, i64 8, i1 false), !dbg !5",
    );
    assert!(types_moved(&lines).is_empty() && told.is_none(), "{lines:#?} {told:?}");
}

#[test]
fn an_enum_is_moved_variant_by_variant_once_the_clean_up_is_done() {
    let [before, after] = exactly_written_out(
        "  %either = alloca [16 x i8], align 8
             #dbg_declare(ptr %either, !53, !DIExpression(), !5)
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %either, i64 16, i1 false), !dbg !5",
    );
    assert!(before.contains("call void @ct.move(ptr") && !before.contains("store"), "{before}");
    let cases = ["i64 0, label %variant", "i64 1, label %variant", "label %otherwise"];
    assert!(cases.iter().all(|case| after.contains(case)), "{after}");
    // The float in its variant; the number in the other and, what may lie there, where the tag is no variant's: both may be the bits of a float.
    assert_eq!(after.matches("store double").count(), 1, "{after}");
    assert_eq!(after.lines().filter(|l| l.contains("store i64") && l.contains("!ct.word")).count(), 2, "{after}");
}

#[test]
fn a_row_of_enums_is_moved_one_by_one_from_the_end_where_it_may_overlap() {
    let [_, after] = exactly_written_out(
        "  %either = alloca [16 x i8], align 8
             #dbg_declare(ptr %either, !53, !DIExpression(), !5)
           %bytes = mul i64 16, %n
           call void @llvm.memmove.p0.p0.i64(ptr align 8 %to, ptr align 8 %either, i64 %bytes, i1 false), !dbg !5",
    );
    assert!(after.contains("icmp ugt ptr") && after.contains("switch i64"), "{after}");
}

#[test]
fn what_is_a_float_in_one_variant_and_a_number_in_another_stays_in_memory() {
    let [before, _] = exactly_written_out(
        "  %either = alloca [16 x i8], align 8
             #dbg_declare(ptr %either, !53, !DIExpression(), !5)
           %part = getelementptr inbounds i8, ptr %either, i64 8
           store double 1.0, ptr %part, align 8
           %tag = load i64, ptr %either, align 8, !dbg !5",
    );
    assert!(before.contains("store volatile double") && before.contains("%tag = load i64"), "{before}");
}

#[test]
fn moves_lose_no_byte_that_the_type_of_a_variable_does_not_need_where_that_is_a_variants() {
    let numbers_moved = |variable: u32| {
        let [_, after] = exactly_written_out(&format!(
            "  %pair = alloca [16 x i8], align 8
                 #dbg_declare(ptr %pair, !{variable}, !DIExpression(), !5)
               call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %pair, i64 16, i1 false), !dbg !5"
        ));
        assert_eq!(after.matches("store double").count(), 1, "{after}");
        after.matches("store i32").count()
    };
    // A number and the padding behind it, which in a struct is nobody's.
    assert_eq!(numbers_moved(67), 2);
    assert_eq!(numbers_moved(54), 1);
}

/// One of the variants of an enum has the size of the other type, but not what is in it.
#[test]
fn two_types_with_nothing_in_common_are_not_moved_as_a_variant_of_one() {
    let [before, _] = exactly_written_out(
        "  %either = alloca [16 x i8], align 8
             #dbg_declare(ptr %either, !53, !DIExpression(), !5)
           %pair = alloca [16 x i8], align 8
             #dbg_declare(ptr %pair, !54, !DIExpression(), !5)
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 %pair, ptr align 8 %either, i64 16, i1 false), !dbg !5",
    );
    assert!(before.contains("call void @llvm.memcpy"), "{before}");
}

#[test]
fn a_record_with_many_numbers_is_moved_by_a_loop() {
    let [before, after] = exactly_written_out(
        "  %long = alloca [88 x i8], align 8
             #dbg_declare(ptr %long, !55, !DIExpression(), !5)
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %long, i64 88, i1 false), !dbg !5",
    );
    assert!(before.contains("call void @ct.move(ptr"), "{before}");
    assert!(after.contains("store double") && after.contains("phi i64") && !after.contains("switch"), "{after}");
}
