//! Loads that tell the variant of an enum.
//!
//! A shadow of another variant than its primal's is no shadow: pointers of the one are something else in the other. Which loads read a
//! discriminant is plain in what rustc writes, and no longer after simplification, so they are marked before it (`load::tags`). The mark is metadata, of a
//! kind that a load keeps when another of the same place is replaced by it and that means nothing to LLVM here.

use cotangent_llvm as llvm;
use llvm::{Opcode, Value};

/// Sets a mark of a kind of its own, which says nothing but that it is there.
fn mark_bare(access: Value, kind: &str) {
    let context = access.context();
    access.set_metadata(context.metadata_kind(kind), Some(context.metadata_node(&[])));
}

/// Whether an access has such a mark.
fn has_bare(access: Value, kind: &str) -> bool {
    access.metadata(access.context().metadata_kind(kind)).is_some()
}

/// The mark of a store of what is one thing, whatever that is: nothing narrower is a piece of it.
const ONE: &str = "ct.one";

/// Marks such a store.
pub fn mark_one(store: Value) {
    mark_bare(store, ONE);
}

/// Whether a store is one of one thing.
pub fn is_one(store: Value) -> bool {
    has_bare(store, ONE) || is_exact(store)
}

/// Kind of the metadata.
const KIND: &str = "llvm.preserve.access.index";

/// The mark of what is moved as a word because nothing tells what it is (see [`crate::analysis::activity`]).
const WORD: &str = "ct.word";

/// Marks a load or store of a word; twice, as only one of the marks can be read in a dump, and only the other one is kept where two accesses become
/// one.
pub fn mark_word(access: Value) {
    mark_bare(access, WORD);
    let context = access.context();
    let node = context.metadata_node(&[context.metadata_string(WORD)]);
    access.set_metadata(context.metadata_kind(KIND), Some(node));
}

/// The mark of single bytes out of a copy of which nobody knew an alignment.
const BYTES: &str = "ct.bytes";

/// Marks the load of such a byte.
pub fn mark_bytes(load: Value) {
    mark_bare(load, BYTES);
}

/// Whether a load is one of such a byte.
pub fn is_bytes(load: Value) -> bool {
    has_bare(load, BYTES)
}

/// The content of a mark that no evidence takes away.
const FIRM: &str = "firm";

/// The same where no evidence about other accesses makes anything else of it.
pub fn mark_firm(access: Value) {
    mark_word_with(access, FIRM);
}

/// The content of such a mark where the source has a number of this width.
const EXACT: &str = "exact";

/// The same of a number of the source, which is no row of narrower things.
pub fn mark_exact(access: Value) {
    mark_word_with(access, EXACT);
}

/// The content of such a mark where the source has a number there, and no bytes of which it says nothing.
const COUNT: &str = "number";

/// The same of what is a number of the source in all that is known of it: the bits of a float may be in it where the program takes such, and nowhere else.
pub fn mark_count(access: Value) {
    mark_word_with(access, COUNT);
}

/// Whether an access is one of such a number.
pub fn is_count(access: Value) -> bool {
    is_word_with(access, COUNT)
}

/// What the mark says of a word out of an object of which nobody knows what it is: it is a float, a pointer or a number as wide, or narrower ones side by side.
const OBJECT: &str = "object";

/// The same of such a word.
pub fn mark_object(access: Value) {
    mark_word_with(access, OBJECT);
}

/// Marks an access of what others access exactly: it is a number of the source if all of them say so.
pub fn mark_exact_like(access: Value, others: &[Value]) {
    let is_number = |other: &Value| is_count(*other) || is_told(*other);
    if others.iter().all(is_number) { mark_count(access) } else { mark_exact(access) }
}

/// The content of such a mark where it is not known how wide the floats are: what is moved is an `f32`, or half of an `f64`, or none.
const EITHER: &str = "either";

/// The same of such a word.
pub fn mark_either(access: Value) {
    mark_word_with(access, EITHER);
}

/// Whether an access is one of such a word.
pub fn is_either(access: Value) -> bool {
    is_word_with(access, EITHER)
}

fn mark_word_with(access: Value, content: &str) {
    mark_word(access);
    let context = access.context();
    let node = context.metadata_node(&[context.metadata_string(content)]);
    access.set_metadata(context.metadata_kind(WORD), Some(node));
}

/// Whether a mark of a word has a content.
fn is_word_with(access: Value, content: &str) -> bool {
    let context = access.context();
    access.metadata(context.metadata_kind(WORD)) == Some(context.metadata_node(&[context.metadata_string(content)]))
}

/// Whether an access is one of a word whatever others say.
pub fn is_firm(access: Value) -> bool {
    [FIRM, EXACT, COUNT, EITHER].iter().any(|content| is_word_with(access, content))
}

/// Whether an access is one of such a word.
pub fn is_exact_word(access: Value) -> bool {
    is_word_with(access, EXACT) || is_count(access)
}

/// Whether an access is a plain one that has no mark which says what it moves.
pub fn is_untold(access: Value) -> bool {
    access.is_plain() && !is_word(access) && !is_told(access)
}

/// Whether what an access reads or writes is as wide in the source.
pub fn is_exact(access: Value) -> bool {
    is_told(access) || is_exact_word(access) || is_word_with(access, OBJECT)
}

/// The mark of a number that is a field of a struct of the user's, which is no length of what lies beside it.
const FIELD: &str = "ct.field";

/// Marks a load or store of such a number.
pub fn mark_field(access: Value) {
    mark_bare(access, FIELD);
}

/// Whether an access is one of such a number.
pub fn is_field(access: Value) -> bool {
    has_bare(access, FIELD)
}

/// The mark of a number of which the source says that it is one, so that no address is hidden in it; the bits of a float may be.
const NO_ADDRESS: &str = "ct.no.address";

/// Marks a load or store of such a number.
pub fn mark_no_address(access: Value) {
    mark_bare(access, NO_ADDRESS);
}

/// Whether an access is one of such a number.
pub fn is_no_address(access: Value) -> bool {
    has_bare(access, NO_ADDRESS)
}

/// The mark of what the types of the source say to be a number, whatever variant lies there.
const NUMBER: &str = "ct.number";

/// Marks a load or store of such a number.
pub fn mark_number(access: Value) {
    mark_as(access, NUMBER);
}

fn mark_as(access: Value, text: &str) {
    let context = access.context();
    access.set_metadata(context.metadata_kind(KIND), Some(context.metadata_node(&[context.metadata_string(text)])));
}

fn is_marked_as(access: Value, text: &str) -> bool {
    let context = access.context();
    access.metadata(context.metadata_kind(KIND)) == Some(context.metadata_node(&[context.metadata_string(text)]))
}

/// The marks of an access that is as the source has it: of a number of this width, which is no piece of anything wider but may hold all bits of a float; of a
/// float; of a pointer.
const TOLD: [&str; 3] = ["ct.told", "ct.told.float", "ct.told.pointer"];

/// Which of them is that of an access of its type.
fn told(access: Value) -> &'static str {
    let ty = if access.opcode() == Opcode::LLVMStore { access.operand(0).ty() } else { access.ty() };
    TOLD[if ty.is_pointer() { 2 } else { usize::from(ty.is_float()) }]
}

/// Marks such a load or store.
pub fn mark_told(access: Value) {
    mark_as(access, told(access));
}

/// Whether an access is as the source has it.
pub fn is_told(access: Value) -> bool {
    is_marked_as(access, told(access)) || is_number(access)
}

/// Whether the source has a number where one is loaded.
pub fn is_number_of_source(load: Value) -> bool {
    load.ty().is_int() && (is_count(load) || is_told(load) || is_field(load) || is_no_address(load))
}

/// The attribute that tells a copy that the source has numbers there, record by record. (Metadata would not last: passes that join two calls drop what they do not know.)
pub const NUMBERS: &str = "ct-copies-numbers";

/// Whether the source has numbers where a copy reads and writes, so that in a program that takes no bits of floats none are moved.
pub fn moves_numbers(copy: Value) -> bool {
    copy.call_string_attribute(NUMBERS).is_some()
}

/// Whether a float is loaded, as the source has it, that LLVM has made a number.
pub fn is_float_as_number(load: Value) -> bool {
    load.ty().is_int() && is_marked_as(load, TOLD[1])
}

/// Whether an access is one of such a number.
pub fn is_number(access: Value) -> bool {
    is_marked_as(access, NUMBER)
}

/// Whether an access is one of such a number that is as wide as an address: an index, as the types of the source say.
pub fn is_index(access: Value) -> bool {
    let ty = if access.opcode() == Opcode::LLVMStore { access.operand(0).ty() } else { access.ty() };
    ty.is_int() && ty.bits() == 64 && is_number(access)
}

/// Whether an access is one of a word.
pub fn is_word(access: Value) -> bool {
    let context = access.context();
    let node = context.metadata_node(&[context.metadata_string(WORD)]);
    access.metadata(context.metadata_kind(WORD)).is_some() || access.metadata(context.metadata_kind(KIND)) == Some(node)
}

/// How what is loaded tells the variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// It is the discriminant.
    Direct,
    /// A 64-bit integer that is negative as a signed one for all variants but one, and free for that one: a capacity.
    Niche,
    /// A pointer that is null for one variant, and free for the other.
    Null,
}

impl Tag {
    const ALL: [(Tag, &str); 3] = [(Tag::Direct, "ct.direct"), (Tag::Niche, "ct.niche"), (Tag::Null, "ct.null")];

    /// Whether a number is one of those that stand for variants in the place of a capacity: capacities end at `isize::MAX`, and the first
    /// values behind are variants.
    pub fn is_in_niche(bits: u64) -> bool {
        ((1 << 63)..(1 << 63) + (1 << 16)).contains(&bits)
    }

    /// Marks a load.
    pub fn mark(self, load: Value) {
        let context = load.context();
        let text = Tag::ALL.iter().find(|(tag, _)| *tag == self).map_or("", |(_, text)| text);
        load.set_metadata(context.metadata_kind(KIND), Some(context.metadata_node(&[context.metadata_string(text)])));
    }

    /// The mark of a load.
    pub fn of(load: Value) -> Option<Tag> {
        let context = load.context();
        let found = load.metadata(context.metadata_kind(KIND))?;
        // Nodes with the same content are one.
        let is = |text: &str| context.metadata_node(&[context.metadata_string(text)]) == found;
        Tag::ALL.iter().find(|(_, text)| is(text)).map(|(tag, _)| *tag)
    }
}

/// How many joins lie between the load of a discriminant and where it is asked for.
const DEEPEST: usize = 4;

/// Whether a load reads a small number that something depends on: the discriminant of an enum with fields of a byte or with a layout that its user has chosen,
/// or a flag, which is as good here. Or a word of which a `switch` tells small numbers apart, or what may be a capacity and is asked for what is none: the load of
/// such a discriminant has lost its mark where it has been put together out of that and a copy.
pub fn may_tell(load: Value) -> bool {
    load.ty().is_int() && load.ty().bits() <= 64 && is_asked_for_variant(load, load.ty().bits() <= 32, false, DEEPEST)
}

/// Whether a `switch` tells what a load reads apart by small numbers: the discriminant of an enum.
pub fn is_switched(load: Value) -> bool {
    let is_such = |user: Value, value: Value| {
        user.opcode() == Opcode::LLVMSwitch
            && user.operand(0) == value
            && cases_of(user).into_iter().all(may_be_variant)
    };
    load.ty().is_int()
        && load.users().into_iter().any(|user| match user.opcode() {
            Opcode::LLVMFreeze => user.users().into_iter().any(|next| is_such(next, user)),
            _ => is_such(user, load),
        })
}

fn cases_of(switch: Value) -> Vec<Value> {
    (1..switch.successors().len() as u32).map(|case| switch.case_value(case)).collect()
}

/// Whether a constant may be the number of a variant.
pub fn may_be_variant(constant: Value) -> bool {
    constant.ty().is_int() && constant.constant_word(0).is_some_and(|number| number < VARIANTS)
}

/// Numbers of variants, and a few more.
const VARIANTS: u64 = 1 << 16;

/// Whether a number is asked for what variants have. (LLVM freezes what may be undefined where it is asked ahead of time, as that of a variant may be and no
/// length.)
fn is_asked_for_variant(value: Value, is_small: bool, is_frozen: bool, depth: usize) -> bool {
    let constant = |value: Value| value.constant_word(0).filter(|_| value.ty().is_int());
    let is_niche = |value: Value| constant(value).is_some_and(Tag::is_in_niche);
    value.users().iter().any(|user| match user.opcode() {
        Opcode::LLVMFreeze | Opcode::LLVMPHI | Opcode::LLVMSelect => {
            let is_frozen = is_frozen || user.opcode() == Opcode::LLVMFreeze;
            depth > 0 && is_asked_for_variant(*user, is_small, is_frozen, depth - 1)
        }
        Opcode::LLVMZExt | Opcode::LLVMSExt => {
            is_small && depth > 0 && is_asked_for_variant(*user, is_small, is_frozen, depth - 1)
        }
        Opcode::LLVMSwitch if user.operand(0) == value => {
            let cases = cases_of(*user);
            is_small || cases.iter().any(|case| is_niche(*case)) || cases.into_iter().all(may_be_variant)
        }
        Opcode::LLVMICmp if is_small => true,
        Opcode::LLVMTrunc => is_small && user.ty().bits() == 1,
        Opcode::LLVMICmp if is_frozen && user.operand(0) == value && may_be_variant(user.operand(1)) => true,
        Opcode::LLVMICmp | Opcode::LLVMSub | Opcode::LLVMAdd | Opcode::LLVMXor => {
            !is_small && user.operand(0) == value && is_niche(user.operand(1))
        }
        _ => false,
    })
}
