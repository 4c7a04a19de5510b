//! Where in its object an address lies, through joins of control flow.
use super::memory::Spot;
use crate::ir::{Func, Op, Val};
use crate::llvm::{Module, Opcode, Place, Value};
use crate::maps::{HashMap, HashSet};
use std::hash::Hash;

/// Operations on indices that are followed.
const DEPTH: usize = 6;
/// Address steps that are followed in a row.
const STEPS: usize = 64;
/// Joins of control flow that are looked through.
const JOINS: usize = 400;
/// Joins of indices that are.
const INDEX_JOINS: usize = 24;

/// The greatest common divisor; of zero and a number, the number.
pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A spot in its normal form: the offset below the stride.
pub fn normal(offset: i64, stride: u64) -> Spot {
    Spot { offset: if stride > 0 { offset.rem_euclid(stride as i64) } else { offset }, stride }
}

/// The places of a spot, and where the first of them is, if that is known: the elements of an array are behind what lies before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Row {
    /// Where each of them lies.
    pub spot: Spot,
    /// Where the first one lies at least.
    first: Option<i64>,
}

impl Row {
    /// One place, or all there are for the spot.
    pub const fn of(spot: Spot) -> Row {
        Row { spot, first: if spot.stride == 0 { Some(spot.offset) } else { None } }
    }

    /// The same counted from another.
    pub fn within(self, from: Row) -> Row {
        let first = from.first.zip(self.first).map(|(from, first)| from.wrapping_add(first));
        let stride = gcd(from.spot.stride, self.spot.stride);
        Row { spot: normal(from.spot.offset.wrapping_add(self.spot.offset), stride), first }
    }

    /// All places of one and the other. Of a row that begins further and further before its object (an end that is moved to the front and put back, in
    /// recursion) the first place is not known.
    pub fn or(self, other: Row) -> Row {
        let (a, b) = (self.spot, other.spot);
        let stride = gcd(gcd(a.stride, b.stride), a.offset.abs_diff(b.offset));
        let first = self.first.zip(other.first).map(|(a, b)| a.min(b));
        let has_end = |first: &i64| *first >= 0 || a.stride == 0 || self.first == Some(*first);
        Row { spot: normal(a.offset, stride), first: first.filter(has_end) }
    }

    /// Whether all of so many bytes at a place come before the row.
    pub fn is_behind(self, spot: Spot, bytes: i64) -> bool {
        spot.stride == 0 && self.first.is_some_and(|first| spot.offset.wrapping_add(bytes) <= first)
    }
}

/// A way from an address or a join to what it may be counted from.
struct Edge<V> {
    of: V,
    from: V,
    offset: i64,
    /// The bytes between at least.
    least: Option<i64>,
}

/// The mark of a copy that moves nothing but floats.
const FLOATS: &str = "ct.floats";

/// Marks a copy as one of floats.
pub fn mark_floats(copy: Value) {
    let context = copy.context();
    copy.set_metadata(context.metadata_kind(FLOATS), Some(context.metadata_node(&[])));
}

/// Whether a copy is known to move nothing but floats.
pub fn is_of_floats(copy: Value) -> bool {
    copy.metadata(copy.context().metadata_kind(FLOATS)).is_some()
}

/// What a copy says of the alignment of one of its ends (0 is where it puts, 1 where it takes).
pub fn said_alignment(copy: Value, end: u32) -> u64 {
    copy.call_attribute_value(Place::Param(end), "align").unwrap_or(1)
}

/// Where an address lies in its object, as far as constants tell. A value that is no address arithmetic counts as the start of an
/// object; where an address may come from several places, the answer holds for all of them.
///
/// Every join (phi, select) gets an offset such that most ways into it agree; where two ways differ, it is the stride that absorbs the
/// difference, for all joins together. Ways from constant memory, where nobody puts anything, do not count beside others.
pub fn spot_of(func: &Func, address: Val) -> Spot {
    row_of(func, address).spot
}

/// The same with where the first of these places is.
pub fn row_of(func: &Func, address: Val) -> Row {
    let Walk { at: first, offset, mut stride, least } = walk(func, address);
    let mut edges = vec![Edge { of: address, from: first, offset, least }];
    let mut joins: HashSet<Val> = HashSet::default();
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        let operands = joined(func, at);
        if operands.is_empty() || joins.contains(&at) {
            continue;
        }
        if joins.len() == JOINS {
            return Row::of(Spot { offset: 0, stride: 1 });
        }
        joins.insert(at);
        for operand in operands {
            let Walk { at: from, offset, stride: step, least } = walk(func, *operand);
            stride = gcd(stride, step);
            edges.push(Edge { of: at, from, offset, least });
            open.push(from);
        }
    }
    let is_start = |edge: &&Edge<Val>| joined(func, edge.from).is_empty();
    if edges.iter().filter(is_start).any(|e| !is_constant_memory(e.from)) {
        edges.retain(|e| !is_constant_memory(e.from));
    }
    let mut offsets: HashMap<Val, i64> = HashMap::default();
    let starts = edges.iter().filter(|e| joined(func, e.from).is_empty());
    offsets.extend(starts.map(|e| (e.from, 0)));
    let firsts = firsts(&edges, offsets.clone());
    let (offsets, stride) = settle(&edges, offsets, stride);
    let Some(offset) = offsets.get(&address) else { return Row::of(Spot { offset: 0, stride: 1 }) };
    let spot = normal(*offset, stride);
    let first = firsts.and_then(|firsts| firsts.get(&address).copied());
    Row { spot, first: if stride == 0 { Some(spot.offset) } else { first } }
}

/// The least offsets that agree with all edges, from those of the starts on; nothing where a way round goes backwards, or nobody knows how far.
fn firsts(edges: &[Edge<Val>], mut firsts: HashMap<Val, i64>) -> Option<HashMap<Val, i64>> {
    // No way without a round in it is longer than there are edges.
    for _ in 0..=edges.len() {
        let mut is_settled = true;
        for edge in edges {
            let Some(from) = firsts.get(&edge.from) else { continue };
            let least = from.checked_add(edge.least?)?;
            if firsts.get(&edge.of).is_none_or(|first| least < *first) {
                firsts.insert(edge.of, least);
                is_settled = false;
            }
        }
        if is_settled {
            return Some(firsts);
        }
    }
    None
}

/// Whether an address is that of a constant, or of nothing at all.
fn is_constant_memory(address: Val) -> bool {
    let Val::Const(address) = address else { return false };
    let address = base(address);
    match address.as_global() {
        Some(global) => global.is_constant(),
        None => address.as_function().is_none() && address.constant_opcode().is_none(),
    }
}

/// The values, none of them address arithmetic or a join, that an address is counted from.
pub fn roots_of(func: &Func, address: Val) -> Vec<Val> {
    let (mut open, mut seen, mut roots) = (vec![address], HashSet::default(), Vec::new());
    while let Some(at) = open.pop() {
        let root = walk(func, at).at;
        if !seen.insert(root) {
            continue;
        }
        match joined(func, root) {
            [] => roots.push(root),
            operands => open.extend(operands),
        }
    }
    roots
}

/// Offsets such that most edges agree, and a stride that all the others do with.
fn settle<V: Copy + Eq + Hash>(
    edges: &[Edge<V>],
    mut offsets: HashMap<V, i64>,
    mut stride: u64,
) -> (HashMap<V, i64>, u64) {
    while spread(edges, &mut offsets) {}
    for edge in edges {
        if let (Some(of), Some(from)) = (offsets.get(&edge.of), offsets.get(&edge.from)) {
            stride = gcd(stride, of.wrapping_sub(from.wrapping_add(edge.offset)).unsigned_abs());
        }
    }
    (offsets, stride)
}

/// Hands offsets on along edges, in both directions; true where one was new.
fn spread<V: Copy + Eq + Hash>(edges: &[Edge<V>], offsets: &mut HashMap<V, i64>) -> bool {
    let before = offsets.len();
    for edge in edges {
        match (offsets.get(&edge.of).copied(), offsets.get(&edge.from).copied()) {
            (None, Some(from)) => {
                offsets.insert(edge.of, from.wrapping_add(edge.offset));
            }
            (Some(of), None) => {
                offsets.insert(edge.from, of.wrapping_sub(edge.offset));
            }
            _ => {}
        }
    }
    offsets.len() > before
}

/// What a join may be; nothing for any other value.
fn joined(func: &Func, at: Val) -> &[Val] {
    let Val::Inst(id) = at else { return &[] };
    let inst = func.inst(id);
    match inst.op {
        Op::Phi => &inst.operands,
        Op::Select => &inst.operands[1..],
        _ => &[],
    }
}

/// How an address is computed.
struct Walk {
    /// From what, which is no address arithmetic.
    at: Val,
    /// The constant bytes between.
    offset: i64,
    /// What the variable ones are multiples of.
    stride: u64,
    /// How many there are at least.
    least: Option<i64>,
}

/// Follows address arithmetic down to what is none.
fn walk(func: &Func, address: Val) -> Walk {
    let (mut offset, mut stride, mut at) = (0i64, 0u64, address);
    let mut least = Some(0i64);
    for _ in 0..STEPS {
        let Val::Inst(id) = at else { break };
        let inst = func.inst(id);
        match inst.op {
            Op::Gep => {
                let (constant, variable) = gep_parts(func.module(), inst.value);
                offset = offset.wrapping_add(constant);
                let step = variable.into_iter().fold(0, gcd);
                stride = gcd(stride, step);
                let forwards = match step {
                    0 => Some(constant),
                    _ => inst.value.goes_forwards().then(|| normal(constant, step).offset),
                };
                least = least.zip(forwards).and_then(|(least, forwards)| least.checked_add(forwards));
            }
            Op::Copy => {}
            _ => break,
        }
        at = inst.operands[0];
    }
    Walk { at, offset, stride, least }
}

/// Where an address lies, counted from a value that is no address arithmetic.
pub fn rooted_spot(func: &Func, address: Val) -> (Val, Spot) {
    let module = func.module();
    let (mut offset, mut stride, mut at) = (0i64, 0u64, address);
    for _ in 0..64 {
        let Val::Inst(id) = at else { break };
        let inst = func.inst(id);
        match inst.op {
            Op::Gep => {
                let (constant, variable) = gep_parts(module, inst.value);
                offset += constant;
                for step in variable {
                    stride = gcd(stride, step);
                }
                at = inst.operands[0];
            }
            Op::Copy => at = inst.operands[0],
            Op::Phi => {
                // A pointer that walks: it starts somewhere and goes on by its steps.
                let steps: Vec<i64> = inst
                    .operands
                    .iter()
                    .filter_map(|o| match o {
                        Val::Inst(next) if matches!(func.inst(*next).op, Op::Gep) => {
                            let next = func.inst(*next);
                            let (constant, variable) = gep_parts(module, next.value);
                            (next.operands[0] == at && variable.is_empty()).then_some(constant)
                        }
                        _ => None,
                    })
                    .collect();
                let others: Vec<Val> = inst
                    .operands
                    .iter()
                    .copied()
                    .filter(|o| !matches!(o, Val::Inst(n) if matches!(func.inst(*n).op, Op::Gep) && func.inst(*n).operands[0] == at))
                    .collect();
                if let ([start], false) = (&others[..], steps.is_empty()) {
                    for step in steps {
                        stride = gcd(stride, step.unsigned_abs());
                    }
                    at = *start;
                } else {
                    stride = gcd(stride, 1);
                    break;
                }
            }
            _ => break,
        }
    }
    if stride > 0 {
        offset = offset.rem_euclid(stride as i64);
    }
    (at, Spot { offset, stride })
}

/// What an address is counted from, whatever the distance.
pub fn base(mut address: Value) -> Value {
    let is_part = |value: Value| match value.is_instruction() {
        true => value.opcode() == Opcode::LLVMGetElementPtr,
        false => value.constant_opcode() == Some(Opcode::LLVMGetElementPtr),
    };
    while is_part(address) {
        address = address.operand(0);
    }
    address
}

/// What an address lies a constant number of bytes behind, and how many.
pub fn place_of(mut address: Value) -> (Value, i64) {
    let mut at = 0;
    while address.is_instruction() && address.opcode() == Opcode::LLVMGetElementPtr {
        let (constant, variable) = gep_parts(address.block().function().module(), address);
        if !variable.is_empty() {
            break;
        }
        at += constant;
        address = address.operand(0);
    }
    (address, at)
}

/// The constant part of a `getelementptr`'s offset, and the bytes that each index that is not constant counts.
pub fn gep_parts(module: Module, gep: Value) -> (i64, Vec<u64>) {
    let mut ty = gep.gep_type();
    let (mut constant, mut variable) = (0i64, Vec::new());
    for (position, index) in gep.operands().into_iter().skip(1).enumerate() {
        if position > 0 && ty.is_struct() {
            let field = index.as_u64().unwrap_or(0) as u32;
            constant += module.field_offset(ty, field) as i64;
            ty = ty.field(field);
            continue;
        }
        if position > 0 {
            ty = ty.element();
        }
        let size = module.size_of(ty);
        let (fixed, step) = linear(index);
        constant = constant.wrapping_add(fixed.wrapping_mul(size as i64));
        if step > 0 {
            variable.push(step.saturating_mul(size));
        }
    }
    (constant, variable)
}

/// An index as a constant and what its variable part is a multiple of. Products do not overflow: they count bytes of something
/// that is in memory.
pub fn linear(index: Value) -> (i64, u64) {
    linear_to(index, DEPTH)
}

fn linear_to(index: Value, depth: usize) -> (i64, u64) {
    let (constant, step) = computed(index, depth);
    // A distance between two pointers is divided by the size of what they point to, without a rest.
    let known = if step == 1 { divisor(index) } else { None };
    known.map_or((constant, step), |step| (0, step))
}

/// An index that joins others, which may join it: it starts somewhere, and goes on by steps on every way round. As in [`spot_of`], each join gets a
/// constant such that most ways into it agree, and the stride absorbs the rest.
fn of_joins(first: Value, depth: usize) -> (i64, u64) {
    let is_join = |value: Value| {
        value.is_instruction() && matches!(value.opcode(), Opcode::LLVMPHI | Opcode::LLVMSelect | Opcode::LLVMFreeze)
    };
    let (mut edges, mut stride) = (Vec::new(), 0);
    let (mut joins, mut open) = (HashSet::default(), vec![first]);
    while let Some(join) = open.pop() {
        if !joins.insert(join) {
            continue;
        }
        if joins.len() > INDEX_JOINS {
            return (0, 1);
        }
        let operands = match join.opcode() {
            Opcode::LLVMPHI => join.incoming().into_iter().map(|(value, _)| value).collect(),
            Opcode::LLVMSelect => vec![join.operand(1), join.operand(2)],
            _ => vec![join.operand(0)],
        };
        for operand in operands {
            let (mut at, mut offset) = (operand, 0i64);
            while at.is_instruction() && at.opcode() == Opcode::LLVMAdd {
                let (constant, step) = linear_to(at.operand(1), depth - 1);
                (offset, stride) = (offset.wrapping_add(constant), gcd(stride, step));
                at = at.operand(0);
            }
            let from = is_join(at).then_some(at);
            if from.is_none() {
                let (constant, step) = linear_to(at, depth - 1);
                (offset, stride) = (offset.wrapping_add(constant), gcd(stride, step));
            }
            edges.push(Edge { of: Some(join), from, offset, least: None });
            open.extend(from);
        }
        // Nothing more can be learned.
        if stride == 1 {
            return (0, 1);
        }
    }
    let (offsets, stride) = settle(&edges, HashMap::from_iter([(None, 0)]), stride);
    offsets.get(&Some(first)).map_or((0, 1), |offset| (*offset, stride))
}

/// What a value is divided by without a rest.
fn divisor(value: Value) -> Option<u64> {
    value.users().into_iter().filter(|user| user.is_exact() && user.operand(0) == value).find_map(exact_divisor)
}

/// What a division is one by, if by a constant and without a rest.
pub fn exact_divisor(division: Value) -> Option<u64> {
    let by = division.is_exact().then(|| division.operand(1))?.as_u64()?;
    match division.opcode() {
        Opcode::LLVMLShr | Opcode::LLVMAShr => 1u64.checked_shl(by as u32),
        _ => Some(by),
    }
}

/// Whether a value is the rest of another divided by a constant.
fn is_rest_of(rest: Value, value: Value) -> bool {
    rest.is_instruction()
        && rest.opcode() == Opcode::LLVMURem
        && rest.operand(0) == value
        && rest.operand(1).as_u64().is_some_and(|by| by > 0)
}

fn computed(index: Value, depth: usize) -> (i64, u64) {
    let unknown = (0, 1);
    if let Some(constant) = index.as_i64() {
        return (constant, 0);
    }
    if depth == 0 || !index.is_instruction() {
        return unknown;
    }
    let of = |i: u32| linear_to(index.operand(i), depth - 1);
    let times = |(constant, step): (i64, u64), factor: i64| {
        (constant.wrapping_mul(factor), step.saturating_mul(factor.unsigned_abs()))
    };
    match index.opcode() {
        Opcode::LLVMAdd => {
            let ((a, s), (b, t)) = (of(0), of(1));
            (a.wrapping_add(b), gcd(s, t))
        }
        // Without its rest: what holds so many of one size is used for another.
        Opcode::LLVMSub if is_rest_of(index.operand(1), index.operand(0)) => {
            (0, index.operand(1).operand(1).as_u64().unwrap_or(1))
        }
        Opcode::LLVMSub => {
            let ((a, s), (b, t)) = (of(0), of(1));
            (a.wrapping_sub(b), gcd(s, t))
        }
        // All bits changed: minus one minus the number.
        Opcode::LLVMXor if index.operand(1).as_i64() == Some(-1) => {
            let (a, s) = of(0);
            (a.wrapping_neg().wrapping_sub(1), s)
        }
        // (What no optimiser has seen has its constants on either side.)
        Opcode::LLVMMul => match (index.operand(1).as_i64(), index.operand(0).as_i64()) {
            (Some(factor), _) => times(of(0), factor),
            (None, Some(factor)) => times(of(1), factor),
            // A multiple of what each of them is one of.
            (None, None) => {
                let ((a, s), (b, t)) = (of(0), of(1));
                (0, gcd(a.unsigned_abs(), s).saturating_mul(gcd(b.unsigned_abs(), t)))
            }
        },
        Opcode::LLVMShl => match index.operand(1).as_u64() {
            Some(bits) if bits < 62 => times(of(0), 1 << bits),
            _ => unknown,
        },
        // A number without its last bits.
        Opcode::LLVMAnd => match (0..2).find_map(|i| index.operand(i).as_u64()) {
            Some(mask) if mask != 0 => (0, 1 << mask.trailing_zeros()),
            _ => unknown,
        },
        Opcode::LLVMSelect => {
            let ((a, s), (b, t)) = (of(1), of(2));
            (a, gcd(gcd(s, t), a.abs_diff(b)))
        }
        Opcode::LLVMPHI => of_joins(index, depth),
        // What is cut off, or stands for a sign, is a multiple of all that the narrower type can hold.
        Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMTrunc => {
            let narrow = index.ty().bits().min(index.operand(0).ty().bits());
            let (constant, step) = of(0);
            if narrow < 64 { (constant, gcd(step, 1 << narrow)) } else { (constant, step) }
        }
        Opcode::LLVMFreeze => of(0),
        _ => unknown,
    }
}
