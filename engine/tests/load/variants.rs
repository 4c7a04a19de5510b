//! Which loads tell the variant of an enum.

use crate::{parse, slice_thunk};
use cotangent_engine::ir::tag::is_word;
use cotangent_engine::llvm::Opcode;
use cotangent_engine::load::{tags, variants};

/// What rustc writes for a `match` on enums: two variants, several, one in a capacity, one in a pointer; a flag and a number.
const VARIANTS: &str = r#"
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
  %two = load i64, ptr %x
  %is.two = trunc nuw i64 %two to i1
  br i1 %is.two, label %a, label %end
a:
  %p.all = getelementptr i8, ptr %x, i64 8
  %all = load i32, ptr %p.all
  switch i32 %all, label %never [ i32 0, label %b  i32 1, label %end  i32 2, label %end ]
b:
  %p.capacity = getelementptr i8, ptr %x, i64 16
  %capacity = load i64, ptr %p.capacity
  %none = icmp eq i64 %capacity, -9223372036854775808
  br i1 %none, label %c, label %end
c:
  %p.pointer = getelementptr i8, ptr %x, i64 24
  %pointer = load ptr, ptr %p.pointer
  %address = ptrtoint ptr %pointer to i64
  %null = icmp eq i64 %address, 0
  %number = select i1 %null, i64 0, i64 1
  %is.some = trunc nuw i64 %number to i1
  br i1 %is.some, label %d, label %end
d:
  %p.flag = getelementptr i8, ptr %x, i64 32
  %flag = load i8, ptr %p.flag
  %is.flag = trunc nuw i8 %flag to i1
  br i1 %is.flag, label %e, label %end
e:
  %p.count = getelementptr i8, ptr %x, i64 40
  %count = load i64, ptr %p.count
  %is.zero = icmp eq i64 %count, 0
  br i1 %is.zero, label %end, label %last
last:
  store double 1.0, ptr %r
  ret void
never:
  unreachable
end:
  ret void
}"#;

#[test]
fn loads_that_tell_a_variant_are_marked_and_others_are_not() {
    use cotangent_engine::ir::tag::Tag;
    let made = slice_thunk(VARIANTS);
    let loads =
        made.root.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| i.opcode() == Opcode::LLVMLoad);
    let marks: Vec<(String, Option<Tag>)> = loads.map(|load| (load.name(), Tag::of(load))).collect();
    let expected = [
        ("two", Some(Tag::Direct)),
        ("all", Some(Tag::Direct)),
        ("capacity", Some(Tag::Niche)),
        ("pointer", Some(Tag::Null)),
        ("flag", None),
        ("count", None),
    ];
    assert_eq!(marks, expected.map(|(name, tag)| (name.to_owned(), tag)));
}

/// `match from { Circle(radius) => Circle(radius), Path(points) => Path(points.clone()), Number(n) => Number(n + 1) }`, where all payloads have the type of
/// a pointer or of an integer.
#[test]
fn what_is_moved_beside_a_discriminant_and_not_looked_at_is_a_word() {
    // Of eight bytes, as it is by itself, and of those that `repr` asks for.
    for bytes in ["i64", "i32", "i8"] {
        moved_beside(bytes);
    }
}

fn moved_beside(tag: &str) {
    let text = "define void @f(ptr %from, ptr %to) {
         start:
           %tag = load TAG, ptr %from
           %at = getelementptr inbounds i8, ptr %from, i64 8
           switch TAG %tag, label %never [ TAG 0, label %circle
                                           TAG 1, label %path
                                           TAG 2, label %number ]
         never:
           unreachable
         circle:
           %radius = load ptr, ptr %at
           br label %join
         path:
           %points = load ptr, ptr %at
           %new = call ptr @clone(ptr %points)
           br label %join
         number:
           %n = load i64, ptr %at
           %more = add i64 %n, 1
           store i64 %more, ptr %to
           ret void
         join:
           %value = phi ptr [ %radius, %circle ], [ %new, %path ]
           %there = getelementptr inbounds i8, ptr %to, i64 8
           store ptr %value, ptr %there
           ret void
         }
         declare ptr @clone(ptr)";
    let module = parse(&text.replace("TAG", tag));
    let function = module.function("f").unwrap();
    tags::mark(function);
    variants::run(function);
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    let accesses = |opcode| {
        let all = function.blocks().into_iter().flat_map(|b| b.instructions());
        all.filter(|i| i.opcode() == opcode && is_word(*i)).map(|i| i.to_string()).collect::<Vec<_>>()
    };
    let (loads, stores) = (accesses(Opcode::LLVMLoad), accesses(Opcode::LLVMStore));
    assert!(loads.len() == 1 && loads[0].contains("load i64, ptr %at"), "{loads:?}\n{module}");
    assert!(stores.len() == 1 && stores[0].contains("store i64") && stores[0].contains("ptr %there"), "{stores:?}");
    assert!(module.to_string().contains("ptrtoint ptr %new to i64"), "{module}");
}

/// Two `f32` are as long as the pointer of a text.
#[test]
fn a_pointer_of_which_parts_are_cast_to_floats_is_loaded_as_a_number() {
    let text = |used: &str| {
        format!(
            "define float @f(ptr %from) {{
               %both = load ptr, ptr %from
               %number = ptrtoint ptr %both to i64
               %high = lshr i64 %number, 32
               %part = trunc nuw i64 %high to i32
               {used}
               ret float %y
             }}"
        )
    };
    let roles = |used: &str| {
        let module = parse(&text(used));
        variants::roles::run(module.function("f").unwrap());
        module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
        module.to_string()
    };
    let cast = roles("%y = bitcast i32 %part to float");
    assert!(cast.contains("load i64, ptr %from") && !cast.contains("ptrtoint") && !cast.contains("ct.word"), "{cast}");
    // What is computed with the number of an address is no float.
    let counted = roles("%y = uitofp i32 %part to float");
    assert!(counted.contains("load ptr, ptr %from"), "{counted}");
}
