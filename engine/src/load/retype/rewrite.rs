//! The new moves, piece by piece.
//!
//! Every instruction whose value has a float in it gets *pieces*: floats, and integers for what lies between them. Whoever needs the old
//! integer gets it put together again, which is a bit cast where there is one piece only.

use super::Classes;
use super::evidence::Kind;
use super::lanes::{Source, floats_of, int_bits, sign_of, sign_operation, sources};
use crate::ir::{Func, InstId};
use crate::llvm::{Builder, Context, Opcode, Type, Value};
use crate::load::signs::Sign;
use crate::maps::{HashMap, HashSet};

/// Where a piece lies in its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    offset: u32,
    bytes: u32,
    float: bool,
}

impl Slot {
    /// The type of the piece.
    pub fn ty(self, context: Context) -> Type {
        match (self.float, self.bytes) {
            (true, 8) => context.f64(),
            (true, _) => context.f32(),
            (false, bytes) => context.int(8 * bytes),
        }
    }

    /// The piece of an integer or a float.
    pub fn slice(self, builder: &Builder, value: Value) -> Value {
        let context = value.context();
        let ty = value.ty();
        let bits = floats_of(ty).map_or(int_bits(ty), |(bytes, count)| 8 * bytes * count);
        let mut part = cast(builder, value, context.int(bits));
        if self.offset > 0 {
            part = builder.binary(Opcode::LLVMLShr, part, wide(part.ty(), 8 * self.offset));
        }
        if bits > 8 * self.bytes {
            part = builder.cast(Opcode::LLVMTrunc, part, context.int(8 * self.bytes));
        }
        cast(builder, part, self.ty(context))
    }
}

/// The integer (or vector) that consists of pieces.
pub fn put_together(builder: &Builder, ty: Type, pieces: &[(Slot, Value)]) -> Value {
    let context = ty.context();
    let all = context.int(int_bits(ty));
    let part = |(slot, piece): &(Slot, Value)| {
        let part = cast(builder, *piece, context.int(8 * slot.bytes));
        let part = if part.ty() == all { part } else { builder.cast(Opcode::LLVMZExt, part, all) };
        match slot.offset {
            0 => part,
            offset => builder.binary(Opcode::LLVMShl, part, wide(all, 8 * offset)),
        }
    };
    let joined = pieces.iter().map(part).reduce(|a, b| builder.binary(Opcode::LLVMOr, a, b));
    cast(builder, joined.unwrap_or_else(|| all.zero()), ty)
}

/// Cuts a row of atoms into pieces; nothing where no whole float is in it.
pub fn cut(kinds: &[Option<Kind>]) -> Option<Vec<Slot>> {
    let (mut slots, mut at) = (Vec::new(), 0);
    let double = |at: usize| kinds[at] == Some(Kind::Low) && kinds.get(at + 1) == Some(&Some(Kind::High));
    let single = |at: usize| kinds[at] == Some(Kind::Single);
    while at < kinds.len() {
        let pair = double(at);
        let long = pair || (at % 2 == 0 && at + 1 < kinds.len() && !single(at) && !single(at + 1) && !double(at + 1));
        let bytes = if long { 8 } else { 4 };
        slots.push(Slot { offset: 4 * at as u32, bytes, float: pair || single(at) });
        at += bytes as usize / 4;
    }
    slots.iter().any(|s| s.float).then_some(slots)
}

struct Rewriter<'f> {
    func: &'f Func,
    slots: HashMap<InstId, Vec<Slot>>,
    /// What packs and unpacks floats or takes a sign out: it stays where somebody needs the integer.
    packs: HashSet<Value>,
    pieces: HashMap<Value, Vec<(Slot, Value)>>,
    /// Instructions that nobody needs any more, except for their integer results.
    replaced: HashSet<Value>,
}

/// Rewrites all moves of floats; true where there was one.
pub fn run(func: &Func, classes: &Classes) -> bool {
    let (mut slots, mut packs) = (HashMap::default(), HashSet::default());
    for id in func.inst_ids() {
        let value = func.inst(id).value;
        let kinds = classes.kinds(func, id);
        if is_move(value) {
            slots.extend(cut(&kinds).map(|cut| (id, cut)));
        } else if sign_of(value).is_some() || (kinds.iter().any(Option::is_some) && is_pack(value)) {
            packs.insert(value);
        }
    }
    let mut rewriter = Rewriter { func, slots, packs, pieces: HashMap::default(), replaced: HashSet::default() };
    rewriter.run()
}

fn is_pack(value: Value) -> bool {
    sources(value).is_some() || (value.opcode() == Opcode::LLVMBitCast && floats_of(value.operand(0).ty()).is_some())
}

fn is_move(value: Value) -> bool {
    match value.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMStore => value.is_plain(),
        Opcode::LLVMPHI | Opcode::LLVMFreeze => true,
        Opcode::LLVMSelect => value.operand(0).ty().is_int(),
        _ => sign_operation(value).is_some(),
    }
}

impl Rewriter<'_> {
    fn run(&mut self) -> bool {
        let ids: Vec<InstId> = self.func.inst_ids().collect();
        let phis: Vec<InstId> = ids.iter().copied().filter(|id| self.is(*id, Opcode::LLVMPHI)).collect();
        let phis: Vec<InstId> = phis.into_iter().filter(|id| self.slots.contains_key(id)).collect();
        for id in &phis {
            self.declare_phi(*id);
        }
        let mut changed = !phis.is_empty();
        for id in ids {
            changed |= self.replace(id);
        }
        for id in phis {
            self.fill_phi(id);
        }
        self.finish();
        changed
    }

    fn is(&self, id: InstId, opcode: Opcode) -> bool {
        self.func.inst(id).value.opcode() == opcode
    }

    fn ty(&self, slot: Slot) -> Type {
        slot.ty(self.func.module().context())
    }

    fn declare_phi(&mut self, id: InstId) {
        let phi = self.func.inst(id).value;
        let builder = Builder::before(phi);
        builder.set_location_of(Some(phi));
        let pieces = self.slots[&id].iter().map(|slot| (*slot, named(builder.phi(self.ty(*slot)), phi))).collect();
        self.pieces.insert(phi, pieces);
        self.replaced.insert(phi);
    }

    fn fill_phi(&mut self, id: InstId) {
        let phi = self.func.inst(id).value;
        let pieces = self.pieces[&phi].clone();
        // Edges of one block to the same place must bring the same value.
        let mut known = HashMap::default();
        for (value, block) in phi.incoming() {
            let builder = Builder::before_terminator(block);
            let values = known
                .entry(block)
                .or_insert_with(|| pieces.iter().map(|(slot, _)| self.get(&builder, value, *slot)).collect::<Vec<_>>());
            for ((_, piece), value) in pieces.iter().zip(values.iter()) {
                piece.add_incoming(*value, block);
            }
        }
    }

    /// Replaces an instruction, if it moves floats or makes one of moved bits.
    fn replace(&mut self, id: InstId) -> bool {
        let inst = self.func.inst(id);
        let old = inst.value;
        let builder = Builder::before(old);
        builder.set_location_of(Some(old));
        if old.opcode() == Opcode::LLVMBitCast && floats_of(old.ty()).is_some() {
            return self.make_float(&builder, old);
        }
        let Some(slots) = self.slots.get(&id).cloned() else { return false };
        let pieces: Vec<(Slot, Value)> = match old.opcode() {
            Opcode::LLVMPHI => return true,
            Opcode::LLVMStore => {
                for slot in slots {
                    let value = self.get(&builder, old.operand(0), slot);
                    let new = builder.store(value, self.address(&builder, old.operand(1), slot));
                    take_over(new, old, slot);
                }
                old.erase();
                return true;
            }
            Opcode::LLVMLoad => {
                let load = |slot: Slot| {
                    let new = builder.load(self.ty(slot), self.address(&builder, old.operand(0), slot));
                    take_over(new, old, slot);
                    (slot, new)
                };
                slots.into_iter().map(load).collect()
            }
            Opcode::LLVMSelect => {
                let pick = |slot: Slot| {
                    let (a, b) = (self.get(&builder, old.operand(1), slot), self.get(&builder, old.operand(2), slot));
                    (slot, builder.select(old.operand(0), a, b))
                };
                slots.into_iter().map(pick).collect()
            }
            Opcode::LLVMFreeze => {
                let freeze = |slot: Slot| (slot, builder.freeze(self.get(&builder, old.operand(0), slot)));
                slots.into_iter().map(freeze).collect()
            }
            _ => match sign_operation(old) {
                Some(sign) if slots.len() == 1 => vec![(slots[0], self.sign(&builder, sign, slots[0]))],
                _ => return false,
            },
        };
        for (_, piece) in pieces.iter().filter(|(_, piece)| piece.is_instruction() && piece.name().is_empty()) {
            named(*piece, old);
        }
        self.pieces.insert(old, pieces);
        self.replaced.insert(old);
        true
    }

    /// `bitcast` of an integer to floats.
    fn make_float(&mut self, builder: &Builder, old: Value) -> bool {
        let from = old.operand(0);
        let known = |from| self.pieces.contains_key(&from) || (self.packs.contains(&from) && sources(from).is_some());
        let Some((bytes, count)) = floats_of(old.ty()).filter(|_| known(from)) else {
            return false;
        };
        let lane = |i: u32| self.get(builder, from, Slot { offset: i * bytes, bytes, float: true });
        let new = if old.ty().is_vector() {
            let word = old.context().int(32);
            (0..count).fold(old.ty().poison(), |v, i| builder.insert_element(v, lane(i), word.int_value(u64::from(i))))
        } else {
            lane(0)
        };
        old.replace_all_uses_with(new);
        old.erase();
        true
    }

    fn address(&self, builder: &Builder, pointer: Value, slot: Slot) -> Value {
        if slot.offset == 0 {
            return pointer;
        }
        let context = pointer.context();
        builder.gep(context.int(8), pointer, &[context.int(64).int_value(u64::from(slot.offset))])
    }

    fn sign(&self, builder: &Builder, sign: Sign, slot: Slot) -> Value {
        let x = self.get(builder, sign.magnitude(), slot);
        let made = sign.make(builder, x, || sign.taken().map(|y| self.get(builder, y, slot)));
        made.unwrap_or_else(|| x.ty().poison())
    }

    /// A piece of a value.
    fn get(&self, builder: &Builder, value: Value, slot: Slot) -> Value {
        if value.is_undef() {
            return self.ty(slot).undef();
        }
        if let Some(pieces) = self.pieces.get(&value) {
            if let Some((_, piece)) = pieces.iter().find(|(s, _)| (s.offset, s.bytes) == (slot.offset, slot.bytes)) {
                return cast(builder, *piece, self.ty(slot));
            }
            return slot.slice(builder, self.whole(builder, value));
        }
        if value.is_instruction()
            && value.opcode() == Opcode::LLVMBitCast
            && let from = value.operand(0)
            && let Some((bytes, _)) = floats_of(from.ty())
            && slot.float
            && bytes == slot.bytes
            && slot.offset.is_multiple_of(bytes)
        {
            let lane = value.context().int(32).int_value(u64::from(slot.offset / bytes));
            return if from.ty().is_vector() { builder.extract_element(from, lane) } else { from };
        }
        if self.packs.contains(&value)
            && let Some(from) = sources(value)
            && let Some(row) = from.get(slot.offset as usize / 4..(slot.offset + slot.bytes) as usize / 4)
        {
            match row[0] {
                Source::Zero if row.iter().all(|s| *s == Source::Zero) => return self.ty(slot).zero(),
                Source::Atom(value, index) if in_a_row(row) => {
                    return self.get(builder, value, Slot { offset: 4 * index, ..slot });
                }
                _ => {}
            }
        }
        slot.slice(builder, value)
    }

    /// The integer (or vector) that a value was.
    fn whole(&self, builder: &Builder, value: Value) -> Value {
        self.pieces.get(&value).map_or(value, |pieces| put_together(builder, value.ty(), pieces))
    }

    /// Gives those who still need an integer one, and removes what nobody needs.
    fn finish(&mut self) {
        let olds: Vec<Value> = self.replaced.iter().chain(&self.packs).copied().collect();
        let known: HashSet<Value> = olds.iter().copied().collect();
        let mut needed: HashSet<Value> = HashSet::default();
        loop {
            let before = needed.len();
            for old in &olds {
                // What is replaced does not need its operands any more.
                let needs =
                    |user: Value| !known.contains(&user) || (needed.contains(&user) && !self.replaced.contains(&user));
                if old.users().into_iter().any(needs) {
                    needed.insert(*old);
                }
            }
            if needed.len() == before {
                break;
            }
        }
        for old in olds.iter().filter(|v| needed.contains(v) && self.replaced.contains(v)) {
            let builder = after(*old);
            let whole = self.whole(&builder, *old);
            old.replace_all_uses_with(whole);
        }
        let dead: Vec<Value> = olds.into_iter().filter(|v| self.replaced.contains(v) || !needed.contains(v)).collect();
        for old in &dead {
            old.replace_all_uses_with(old.ty().poison());
        }
        for old in dead {
            old.erase();
        }
    }
}

/// A builder behind an instruction, behind all phis if it is one.
fn after(instruction: Value) -> Builder {
    let mut next = instruction.next();
    while let Some(phi) = next.filter(|n| n.opcode() == Opcode::LLVMPHI) {
        next = phi.next();
    }
    let builder = next.map_or_else(|| Builder::at_end(instruction.block()), Builder::before);
    builder.set_location_of(Some(instruction));
    builder
}

/// An integer constant of any width.
fn wide(ty: Type, value: u32) -> Value {
    ty.int_value(u64::from(value))
}

fn cast(builder: &Builder, value: Value, ty: Type) -> Value {
    if value.ty() == ty { value } else { builder.cast(Opcode::LLVMBitCast, value, ty) }
}

fn in_a_row(sources: &[Source]) -> bool {
    sources.windows(2).all(|pair| match (pair[0], pair[1]) {
        (Source::Atom(a, i), Source::Atom(b, j)) => a == b && i + 1 == j,
        _ => false,
    })
}

/// The first piece takes over the name.
fn named(new: Value, old: Value) -> Value {
    let name = old.name();
    old.set_name("");
    new.set_name(&name);
    new
}

/// Alignment and what is promised about aliasing go over to a new load or store.
fn take_over(new: Value, old: Value, slot: Slot) {
    let align = old.alignment().max(1);
    new.set_alignment(if slot.offset == 0 { align } else { align.min(1 << slot.offset.trailing_zeros()) });
    for name in ["alias.scope", "noalias", "invariant.load", "nontemporal"] {
        let kind = new.context().metadata_kind(name);
        if let Some(node) = old.metadata(kind) {
            new.set_metadata(kind, Some(node));
        }
    }
    if old.opcode() == Opcode::LLVMLoad {
        named(new, old);
    }
}
