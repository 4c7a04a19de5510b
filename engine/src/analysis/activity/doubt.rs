//! What words may be besides one float, in programs with floats of two widths.
//!
//! The shadow of a word is moved as it is, whatever it is; but adjoints are added, and what is none is told from one by its exponent, so there it matters.

use super::Activity;
use super::words::{WORD, leaves, meets_float};
use crate::analysis::bits::NARROWEST;
use crate::analysis::memory::Memory;
use crate::analysis::widths::only_width;
use crate::ir::tag::is_either;
use crate::ir::{Func, Inst, Op, Val};
use crate::llvm::Type;

/// What a word may be besides one float that is as wide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// Nothing.
    None,
    /// Half of an `f64` as well as an `f32`.
    Half,
    /// Two `f32` as well as an `f64`.
    Pair,
}

impl Doubt {
    /// What one of the floats may be that a word is taken for.
    pub fn of_lane(self) -> Doubt {
        if self == Doubt::Pair { Doubt::Half } else { self }
    }

    /// The floats that a word is taken for, which is told to be so many where nothing is in doubt.
    pub fn lanes(self, floats: Type) -> Type {
        if self == Doubt::Pair { floats.context().f32().vector(2) } else { floats }
    }
}

impl Activity {
    /// Whether a word may be two floats.
    pub fn may_be_two(&self, func: &Func, memory: &Memory, val: Val) -> bool {
        self.may_be_pair(func, func.ty(val)) || self.doubt_about(func, memory, val) == Doubt::Pair
    }

    /// What a word may be besides a float that is as wide, where nothing says how wide the floats are at the place that it comes from.
    pub fn doubt_about(&self, func: &Func, memory: &Memory, val: Val) -> Doubt {
        if !self.is_word(val) {
            return Doubt::None;
        }
        let all = leaves(func, val).0;
        let mut loads = all.iter().filter_map(|leaf| match leaf {
            Val::Inst(id) if matches!(func.inst(*id).op, Op::Load) => Some(func.inst(*id)),
            _ => None,
        });
        if loads.clone().any(|load| is_either(load.value)) {
            return Doubt::Half;
        }
        let is_open = |load: &Inst| {
            let met = |bytes| meets_float(func, memory, load.operands[0], load.ty, bytes);
            met(NARROWEST) || !met(WORD as u64)
        };
        let is_wide = func.ty(val) == func.module().context().int(8 * WORD as u32);
        match is_wide && only_width(func.module()).is_none() && loads.any(is_open) {
            true => Doubt::Pair,
            false => Doubt::None,
        }
    }
}
