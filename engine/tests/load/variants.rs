//! Which loads tell the variant of an enum.

use crate::slice_thunk;
use cotangent_engine::llvm::Opcode;

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
