//! Where in its object an address lies, through joins of control flow.
use super::memory::{Spot, gep_parts};
use crate::ir::{Func, Op, Val};

/// Joins inside of joins that are looked through.
const DEPTH: usize = 6;
/// Address steps that are followed in a row.
const STEPS: usize = 64;

pub(super) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A spot in its normal form: the offset below the stride.
fn normal(offset: i64, stride: u64) -> Spot {
    Spot { offset: if stride > 0 { offset.rem_euclid(stride as i64) } else { offset }, stride }
}

/// The finest spot that both lie on.
fn join(a: Spot, b: Spot) -> Spot {
    normal(a.offset, gcd(gcd(a.stride, b.stride), a.offset.abs_diff(b.offset)))
}

/// Where an address lies in its object, as far as constants tell. A value that is no address arithmetic counts as the start of an
/// object; where an address may come from several places, the answer holds for all of them.
pub fn spot_of(func: &Func, address: Val) -> Spot {
    let mut starts = starts(func, address, &mut Vec::new()).into_iter().map(|(_, spot)| spot);
    let first = starts.next().unwrap_or(Spot { offset: 0, stride: 1 });
    starts.fold(first, join)
}

/// The values that an address is counted from, and how far it lies behind each. Joins that are being looked through (`open`) count as starts.
fn starts(func: &Func, address: Val, open: &mut Vec<Val>) -> Vec<(Val, Spot)> {
    let module = func.module();
    let (mut offset, mut stride, mut at) = (0i64, 0u64, address);
    for _ in 0..STEPS {
        let Val::Inst(id) = at else { break };
        let inst = func.inst(id);
        let from = match inst.op {
            Op::Gep => {
                let (constant, variable) = gep_parts(module, inst.value);
                offset = offset.wrapping_add(constant);
                stride = variable.into_iter().fold(stride, gcd);
                at = inst.operands[0];
                continue;
            }
            Op::Copy => {
                at = inst.operands[0];
                continue;
            }
            Op::Phi => &inst.operands[..],
            Op::Select => &inst.operands[1..],
            _ => break,
        };
        if open.contains(&at) {
            break;
        }
        if open.len() >= DEPTH {
            return vec![(at, Spot { offset: 0, stride: 1 })];
        }
        open.push(at);
        let mut found: Vec<(Val, Spot)> = Vec::new();
        for operand in from {
            for (start, spot) in starts(func, *operand, open) {
                match found.iter_mut().find(|(known, _)| *known == start) {
                    Some((_, known)) => *known = join(*known, spot),
                    None => found.push((start, spot)),
                }
            }
        }
        open.pop();
        // What comes back to the join itself goes on by so many bytes each time.
        let step = found.iter().filter(|(start, _)| *start == at);
        stride = step.fold(stride, |stride, (_, spot)| gcd(gcd(stride, spot.stride), spot.offset.unsigned_abs()));
        found.retain(|(start, _)| *start != at);
        let onward =
            |(start, spot): (Val, Spot)| (start, normal(spot.offset.wrapping_add(offset), gcd(spot.stride, stride)));
        return found.into_iter().map(onward).collect();
    }
    vec![(at, normal(offset, stride))]
}
