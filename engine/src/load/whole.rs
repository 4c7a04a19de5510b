//! Words that LLVM has cut into pieces before it joins them with others, joined as words.
//!
//! In one variant of an enum there is a float, in another a character or half of a pointer: LLVM then has one register for each piece that any variant has, joins
//! these where control flow meets, and puts the word together behind that, to store it. So nothing shows any more that a float is moved. Here the word is put
//! together before the join, which leaves nothing to be done where its pieces come from one word.
//!
//! **Promise:** the program computes the same bits.

use crate::analysis::spot::place_of;
use crate::ir::tag;
use crate::llvm::{Block, Builder, Function, Opcode, Type, Value};
use crate::maps::HashMap;

/// More joins than this are not followed from one word.
const MOST: usize = 64;

/// Bits of a value, and where they come to lie in a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Piece {
    of: Value,
    from: u32,
    to: u32,
    bits: u32,
}

/// Joins words in a function.
pub fn join(function: Function) {
    join_stored(function);
    join_put_together(function);
}

/// A store of a part of a word.
struct Stored {
    store: Value,
    base: Value,
    at: i64,
    bytes: i64,
}

impl Stored {
    fn of(store: Value) -> Stored {
        let (base, at) = place_of(store.operand(1));
        let bytes = store.block().function().module().store_size_of(store.operand(0).ty()) as i64;
        Stored { store, base, at, bytes }
    }

    /// Whether another store begins where this one ends, and both are a word.
    fn goes_on_in(&self, other: &Stored) -> bool {
        self.base == other.base && self.at + self.bytes == other.at && self.bytes + other.bytes == WORD_BYTES
    }

    fn is_apart_from(&self, other: &Stored) -> bool {
        self.base == other.base && (self.at + self.bytes <= other.at || other.at + other.bytes <= self.at)
    }
}

/// Words of which two parts are stored one beside the other: halves, or the byte that is a flag in another variant and the rest.
fn join_stored(function: Function) {
    for block in function.blocks() {
        let mut parts: Vec<Stored> = Vec::new();
        for instruction in block.instructions() {
            match instruction.opcode() {
                Opcode::LLVMStore => {
                    let stored = Stored::of(instruction);
                    if !is_part(instruction) {
                        parts.retain(|part| part.is_apart_from(&stored));
                        continue;
                    }
                    let other = parts.iter().position(|p| p.goes_on_in(&stored) || stored.goes_on_in(p));
                    if let Some(part) = other.map(|index| parts.remove(index)) {
                        let (low, high) = if part.at < stored.at { (&part, &stored) } else { (&stored, &part) };
                        if store_whole(low.store, high.store, instruction) {
                            continue;
                        }
                    }
                    // What lies over each other is in order as it is; what is counted from elsewhere may lie anywhere.
                    parts.retain(|part| part.is_apart_from(&stored));
                    parts.push(stored);
                }
                Opcode::LLVMLoad
                | Opcode::LLVMCall
                | Opcode::LLVMFence
                | Opcode::LLVMAtomicRMW
                | Opcode::LLVMAtomicCmpXchg
                | Opcode::LLVMInvoke => parts.clear(),
                _ => {}
            }
        }
    }
}

const WORD: u32 = 64;
const WORD_BYTES: i64 = 8;

/// Whether a store is of whole bytes, fewer than a word, and of nothing that is as wide in the source.
fn is_part(store: Value) -> bool {
    let ty = store.operand(0).ty();
    ty.is_int()
        && ty.bits() < WORD
        && ty.bits().is_multiple_of(8)
        && !store.is_volatile()
        && !store.is_atomic()
        && !tag::is_word(store)
        && !tag::is_told(store)
}

/// Stores two parts as one word, where they are of one or joined with such; `last` is the later of the two stores.
fn store_whole(low: Value, high: Value, last: Value) -> bool {
    let ty = low.context().int(WORD);
    let mut pieces = Vec::new();
    let piece = |store: Value, to| Piece { of: store.operand(0), from: 0, to, bits: store.operand(0).ty().bits() };
    let parts = [piece(low, 0), piece(high, low.operand(0).ty().bits())];
    if parts.into_iter().try_for_each(|part| collect(part, true, &mut pieces)).is_none() {
        return false;
    }
    pieces.sort_by_key(|piece| piece.to);
    let mut joins = Joins { ty, made: HashMap::default() };
    let word = word_of(&pieces, ty).filter(|word| is_word_itself(*word));
    let Some(word) = word.or_else(|| if joins.can_join(&pieces) { joins.join(&pieces) } else { None }) else {
        return false;
    };
    let builder = Builder::before(last);
    builder.set_location_of(Some(last));
    builder.store(word, low.operand(1)).set_alignment(low.alignment());
    low.erase();
    high.erase();
    true
}

/// Whether a word is loaded, or a pointer, or a float.
fn is_word_itself(word: Value) -> bool {
    let is_float = || word.opcode() == Opcode::LLVMBitCast && word.operand(0).ty().is_float();
    word.is_instruction() && (matches!(word.opcode(), Opcode::LLVMLoad | Opcode::LLVMPtrToInt) || is_float())
}

/// Words that are put together from their pieces.
fn join_put_together(function: Function) {
    let is_or = |value: Value| value.is_instruction() && value.opcode() == Opcode::LLVMOr;
    let all = function.blocks().into_iter().flat_map(Block::instructions);
    let roots = |value: &Value| is_or(*value) && !value.users().into_iter().any(is_or);
    for word in all.filter(roots).collect::<Vec<_>>() {
        let Some(pieces) = pieces_of(word).filter(|pieces| pieces.len() > 1) else { continue };
        let mut joins = Joins { ty: word.ty(), made: HashMap::default() };
        if !joins.can_join(&pieces) {
            continue;
        }
        if let Some(join) = joins.join(&pieces) {
            word.replace_all_uses_with(join);
        }
    }
}

/// What a word consists of, if that covers it.
fn pieces_of(word: Value) -> Option<Vec<Piece>> {
    let bits = word.ty().bits();
    if !word.ty().is_int() || !matches!(bits, 32 | 64) {
        return None;
    }
    let mut pieces = Vec::new();
    collect(Piece { of: word, from: 0, to: 0, bits }, true, &mut pieces)?;
    pieces.sort_by_key(|piece| piece.to);
    cover(&pieces, bits).then_some(pieces)
}

/// Whether pieces in order lie one behind the other and are so many bits.
fn cover(pieces: &[Piece], bits: u32) -> bool {
    let end = pieces.iter().try_fold(0, |end, piece| (piece.to == end).then_some(end + piece.bits));
    end == Some(bits)
}

/// Follows bits to what they are cut out of; of what is put together, too, where that is asked for. Bits that are zero are none.
fn collect(piece: Piece, whole: bool, found: &mut Vec<Piece>) -> Option<()> {
    let Piece { of, from, to, bits } = piece;
    let amount = || of.operand(1).as_u64().and_then(|by| u32::try_from(by).ok());
    let opcode = of.is_instruction().then(|| of.opcode());
    match opcode {
        Some(Opcode::LLVMOr) if whole => {
            collect(Piece { of: of.operand(0), ..piece }, whole, found)?;
            collect(Piece { of: of.operand(1), ..piece }, whole, found)
        }
        Some(Opcode::LLVMZExt) => {
            let inner = of.operand(0).ty().bits();
            if from >= inner {
                return Some(());
            }
            collect(Piece { of: of.operand(0), bits: bits.min(inner - from), ..piece }, whole, found)
        }
        Some(Opcode::LLVMTrunc) => collect(Piece { of: of.operand(0), ..piece }, whole, found),
        Some(Opcode::LLVMLShr) => {
            let (by, width) = (amount()?, of.ty().bits());
            if from + by >= width {
                return Some(());
            }
            collect(Piece { of: of.operand(0), from: from + by, to, bits: bits.min(width - from - by) }, whole, found)
        }
        Some(Opcode::LLVMShl) => {
            let by = amount()?;
            let cut = by.saturating_sub(from);
            if cut >= bits {
                return Some(());
            }
            collect(Piece { of: of.operand(0), from: from + cut - by, to: to + cut, bits: bits - cut }, whole, found)
        }
        Some(Opcode::LLVMAnd) => {
            let mask = of.operand(1).as_u64()? >> from;
            let mask = if bits < 64 { mask & ((1 << bits) - 1) } else { mask };
            if mask == 0 {
                return Some(());
            }
            let (begin, end) = (mask.trailing_zeros(), 64 - mask.leading_zeros());
            if mask.count_ones() != end - begin {
                return None;
            }
            collect(Piece { of: of.operand(0), from: from + begin, to: to + begin, bits: end - begin }, whole, found)
        }
        _ => {
            found.push(piece);
            Some(())
        }
    }
}

fn is_phi(value: Value) -> bool {
    value.is_instruction() && value.opcode() == Opcode::LLVMPHI
}

/// The block in which all pieces are joined that are no constants, if there is one.
fn block_of(pieces: &[Piece]) -> Option<Block> {
    let mut blocks = pieces.iter().filter(|piece| !piece.of.is_constant()).map(|p| is_phi(p.of).then(|| p.of.block()));
    let first = blocks.next()??;
    blocks.all(|block| block == Some(first)).then_some(first)
}

/// The word that pieces are all of.
fn word_of(pieces: &[Piece], ty: Type) -> Option<Value> {
    let word = pieces.first()?.of;
    let is_of_word = |piece: &Piece| piece.of == word && piece.from == piece.to;
    (word.ty() == ty && cover(pieces, ty.bits()) && pieces.iter().all(is_of_word)).then_some(word)
}

/// The pieces as they come from another block, in order.
fn incoming(pieces: &[Piece], from: Block) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    for piece in pieces {
        if !is_phi(piece.of) {
            found.push(*piece);
            continue;
        }
        let (value, _) = piece.of.incoming().into_iter().find(|(_, block)| *block == from)?;
        collect(Piece { of: value, ..*piece }, false, &mut found)?;
    }
    found.sort_by_key(|piece| piece.to);
    Some(found)
}

struct Joins {
    ty: Type,
    made: HashMap<Vec<Piece>, Value>,
}

impl Joins {
    /// Whether pieces are joined in such a way that a word out of memory, a pointer or a float is among what is joined.
    fn can_join(&self, pieces: &[Piece]) -> bool {
        let (mut open, mut seen) = (vec![pieces.to_vec()], Vec::new());
        while let Some(pieces) = open.pop() {
            if seen.contains(&pieces) {
                continue;
            }
            if word_of(&pieces, self.ty).is_some_and(is_word_itself) {
                return true;
            }
            if block_of(&pieces).is_none() || seen.len() >= MOST {
                continue;
            }
            for (_, from) in pieces.iter().find(|p| is_phi(p.of)).map(|p| p.of.incoming()).unwrap_or_default() {
                open.extend(incoming(&pieces, from));
            }
            seen.push(pieces);
        }
        false
    }

    /// The word, joined; nothing where its pieces are not joined in one place.
    fn join(&mut self, pieces: &[Piece]) -> Option<Value> {
        let block = block_of(pieces)?;
        if let Some(known) = self.made.get(pieces) {
            return Some(*known);
        }
        if self.made.len() >= MOST {
            return None;
        }
        let first = pieces.iter().find(|piece| is_phi(piece.of))?.of;
        let froms: Vec<Block> = first.incoming().into_iter().map(|(_, from)| from).collect();
        let all = froms.iter().map(|from| incoming(pieces, *from)).collect::<Option<Vec<_>>>()?;
        let builder = Builder::before(block.first()?);
        builder.set_location_of(Some(first));
        let join = builder.phi(self.ty);
        self.made.insert(pieces.to_vec(), join);
        let mut words: HashMap<Block, Value> = HashMap::default();
        for (from, pieces) in froms.into_iter().zip(all) {
            // A switch may lead here in several cases.
            let known = words.get(&from).copied().or_else(|| word_of(&pieces, self.ty));
            let word = known.or_else(|| self.join(&pieces)).unwrap_or_else(|| self.put_together(&pieces, from));
            words.insert(from, word);
            join.add_incoming(word, from);
        }
        Some(join)
    }

    /// Pieces put together at the end of a block.
    fn put_together(&self, pieces: &[Piece], block: Block) -> Value {
        let builder = Builder::before_terminator(block);
        let part = |piece: &Piece| {
            let ty = piece.of.ty();
            let mut value = piece.of;
            if piece.from > 0 {
                value = builder.binary(Opcode::LLVMLShr, value, ty.int_value(u64::from(piece.from)));
            }
            if piece.bits + piece.from < ty.bits() {
                value = builder.cast(Opcode::LLVMTrunc, value, ty.context().int(piece.bits));
            }
            if value.ty().bits() < self.ty.bits() {
                value = builder.cast(Opcode::LLVMZExt, value, self.ty);
            }
            match piece.to {
                0 => value,
                to => builder.binary(Opcode::LLVMShl, value, self.ty.int_value(u64::from(to))),
            }
        };
        let parts: Vec<Value> = pieces.iter().map(part).collect();
        let whole = parts.into_iter().reduce(|all, part| builder.binary(Opcode::LLVMOr, all, part));
        whole.unwrap_or_else(|| self.ty.zero())
    }
}
