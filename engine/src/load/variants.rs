//! What is moved out of an enum: words.
//!
//! `match shape { Shape::Circle(radius) => Shape::Circle(*radius), Shape::Path(points) => Shape::Path(points.clone()) }`: LLVM keeps what both variants hold
//! at one place in one value, and gives that the type of either. So a load may be of a float and have the type of a pointer, or the other way round, also
//! where one variant is looked at (`match token { Token::Number(x) => sum += x, other => kept.push(other) }`). What is loaded beside a discriminant is
//! therefore loaded once for each type in which it is used, and what is stored elsewhere is moved as a word (see [`crate::analysis::activity`]): what it is
//! shows when it is there.

pub mod roles;
pub mod views;

use crate::analysis::spot::{gcd, gep_parts};
use crate::analysis::widths::only_width;
use crate::ir::looks::Looks;
use crate::ir::tag::{self, Tag};
use crate::llvm::{Builder, Function, Module, Opcode, Type, Value};
use crate::maps::{HashMap, HashSet};
use std::cell::OnceCell;
use views::{Views, erase_unused, leaves};

/// Makes words of such moves, in one function.
pub fn run(function: Function) {
    let is_plain = |i: &Value| i.is_plain();
    let all = || function.blocks().into_iter().flat_map(|b| b.instructions());
    // What the source says to be a float or a pointer is one.
    let is_known = |i: Value, ty: Type| !ty.is_int() && tag::is_told(i);
    let is_open_load = |i: &Value| i.opcode() == Opcode::LLVMLoad && !is_known(*i, i.ty());
    let loads: Vec<Value> = all().filter(is_open_load).filter(is_plain).collect();
    let stores: Vec<Value> = all().filter(|i| i.opcode() == Opcode::LLVMStore).filter(is_plain).collect();
    let Some(Beside { loads: open, stores: kept }) = Beside::discriminants(function.module(), &loads, &stores) else {
        return;
    };
    let uses: Vec<Value> = all()
        .filter(|i| match i.opcode() {
            Opcode::LLVMStore => is_plain(i) && !tag::is_number(*i) && !is_known(*i, i.operand(0).ty()),
            Opcode::LLVMBitCast | Opcode::LLVMIntToPtr => true,
            _ => false,
        })
        .collect();
    let looks = OnceCell::new();
    let is_certain = |leaf: Value, user: Value| looks.get_or_init(|| Looks::of(function)).are_before(leaf, user);
    let (module, only_doubles) = (function.module(), OnceCell::new());
    let (mut views, mut loose) = (Views::of_variants(), Views::default());
    let (mut used, mut erased) = (Vec::new(), HashSet::default());
    for user in uses {
        let value = user.operand(0);
        let Some(leaves) = leaves(value) else { continue };
        // Half of an `f64` is never moved by itself.
        if views::width(value.ty()) == 32 && *only_doubles.get_or_init(|| only_width(module) == Some(8)) {
            continue;
        }
        let is_open = |leaf: &Value| open.contains(leaf) || views.loads.contains(leaf);
        let is_kept = user.opcode() == Opcode::LLVMStore && kept.contains(&user);
        let is_in_doubt = |leaf: &Value| is_open(leaf) && !is_number_here(*leaf) && !is_certain(*leaf, user);
        let has_doubts = leaves.iter().any(is_in_doubt) || (is_kept && are_mixed(&leaves));
        if !has_doubts {
            continue;
        }
        let builder = Builder::before(user);
        builder.set_location_of(Some(user));
        if user.opcode() == Opcode::LLVMStore {
            let word = views::word(value.ty());
            // What goes where no variants are is of one type, and that of a float is right; of other types others may know better.
            if !is_kept && value.ty().is_float() {
                continue;
            }
            let view = if is_kept { &mut views } else { &mut loose }.of(value, word, &builder);
            let again = builder.store(view, user.operand(1));
            again.set_alignment(user.alignment());
            let is_exact = |load: &Value| load.opcode() == Opcode::LLVMLoad && tag::is_exact(*load);
            let is_number = leaves.iter().all(|leaf| leaf.is_instruction() && is_exact(leaf));
            match is_kept {
                _ if value.ty().is_int() && tag::is_exact(user) => tag::mark_exact_like(again, &[user]),
                _ if value.ty().is_int() && is_number => tag::mark_exact_like(again, &leaves),
                true => tag::mark_firm(again),
                false => tag::mark_word(again),
            }
        } else if views::width(user.ty()) == views::width(value.ty()) {
            let view = views.of(value, user.ty(), &builder);
            user.replace_all_uses_with(view);
        } else {
            continue;
        }
        user.erase();
        erased.insert(user);
        used.push(value);
    }
    used.into_iter().for_each(|value| erase_unused(value, &mut erased));
}

/// Whether rustc says of a load that it gives a number of a range where it stands: no load of another variant's says so and is made ahead of the test all the same.
fn is_number_here(leaf: Value) -> bool {
    let is_said = |kind: &str| leaf.metadata(leaf.context().metadata_kind(kind)).is_some();
    leaf.is_instruction() && leaf.opcode() == Opcode::LLVMLoad && is_said("range") && is_said("noundef")
}

/// Whether numbers are joined of which some are loaded and some computed: in one variant there is a float, and a count in another.
fn are_mixed(leaves: &[Value]) -> bool {
    let is_loaded = |leaf: &Value| leaf.is_instruction() && leaf.opcode() == Opcode::LLVMLoad && leaf.ty().is_int();
    let is_computed = |leaf: &Value| {
        leaf.is_instruction()
            && matches!(
                leaf.opcode(),
                Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMURem | Opcode::LLVMZExt
            )
    };
    leaves.iter().any(is_loaded) && leaves.iter().any(is_computed)
}

/// Where a discriminant lies in what begins at an address.
struct Discriminant {
    offset: i64,
    bytes: u64,
    /// The eight bytes there are those of one `f64`, if any.
    is_aligned: bool,
}

/// What lies beside a discriminant.
struct Beside {
    /// Loads of it. (What is a discriminant in the end may be a float in another variant all the same.)
    loads: HashSet<Value>,
    /// Stores to where discriminants are read or stored.
    stores: HashSet<Value>,
}

impl Beside {
    /// What is accessed beside discriminants; nothing where there are none.
    fn discriminants(module: Module, loads: &[Value], stores: &[Value]) -> Option<Beside> {
        let telling: Vec<Value> = loads.iter().copied().filter(|l| tells_variant(*l)).collect();
        // What is marked as a variant is one, though nobody asks for it here.
        let is_niche = |value: &Value| value.constant_word(0).is_some_and(Tag::is_in_niche);
        let marks_one = |store: &&Value| {
            let value = store.operand(0);
            value.ty().is_int() && leaves(value).is_some_and(|all| all.iter().any(is_niche))
        };
        if telling.is_empty() && !stores.iter().any(|store| marks_one(&store)) {
            return None;
        }
        let mut beginnings = Beginnings::default();
        // All joins have to be known before any is asked for.
        let addresses = loads.iter().map(|l| l.operand(0)).chain(stores.iter().map(|s| s.operand(1)));
        addresses.for_each(|address| {
            beginnings.of(module, address);
        });
        let mut discriminants: HashMap<Value, Vec<Discriminant>> = HashMap::default();
        for load in &telling {
            let (base, offset) = beginnings.of(module, load.operand(0));
            discriminants.entry(base).or_default().push(Discriminant {
                offset,
                bytes: module.store_size_of(load.ty()),
                is_aligned: load.alignment() >= 8,
            });
        }
        let only_doubles = OnceCell::new();
        let only_doubles = || *only_doubles.get_or_init(|| only_width(module) == Some(8));
        let mut is_beside = |load: &Value| {
            let (base, offset) = beginnings.of(module, load.operand(0));
            let Some(all) = discriminants.get(&base) else { return false };
            let record = beginnings.records.get(&base).copied().unwrap_or(0);
            let size = module.store_size_of(load.ty()) as i64;
            // Where the discriminant itself leaves no room for a float.
            let is_in_room = |d: &Discriminant| {
                let behind = offset - d.offset;
                let behind = if record > 0 { behind.rem_euclid(record as i64) } else { behind };
                d.is_aligned && behind >= 0 && behind + size <= 8 && (behind > 0 || d.bytes < 8)
            };
            !(all.iter().any(is_in_room) && only_doubles())
        };
        let open = loads.iter().copied().filter(|load| is_beside(load)).collect();
        let mut beginning = |store: &Value| beginnings.of(module, store.operand(1)).0;
        let may_be_one = |store: &&Value| {
            let value = store.operand(0);
            let is_one = !telling.is_empty() || marks_one(store);
            is_one
                && value.ty().is_int()
                && !tag::is_number(**store)
                && leaves(value).is_none_or(|all| all.iter().any(|v| v.is_constant() || telling.contains(v)))
        };
        let mut of_variants: HashSet<Value> = discriminants.keys().copied().collect();
        of_variants.extend(stores.iter().filter(may_be_one).map(&mut beginning));
        let kept = stores.iter().copied().filter(|store| of_variants.contains(&beginning(store))).collect();
        Some(Beside { loads: open, stores: kept })
    }
}

/// Whether a load reads what tells a variant, or may do so.
pub fn tells_variant(load: Value) -> bool {
    Tag::of(load).is_some() || (!tag::is_number(load) && tag::may_tell(load))
}

/// What addresses are behind of: one address for all that a loop goes through step by step.
#[derive(Default)]
struct Beginnings {
    /// The address that stands for a join, and how many bytes behind it that is.
    joined: HashMap<Value, (Value, i64)>,
    /// What the addresses of the members of a row are apart.
    records: HashMap<Value, u64>,
}

impl Beginnings {
    /// What an address is behind of, and by how many bytes.
    fn of(&mut self, module: Module, mut address: Value) -> (Value, i64) {
        let mut offset = 0;
        while address.is_instruction() {
            if address.opcode() == Opcode::LLVMGetElementPtr {
                let (constant, variable) = gep_parts(module, address);
                if !variable.is_empty() {
                    break;
                }
                offset += constant;
                address = address.operand(0);
            } else if self.is_known(address) {
                let (base, behind) = self.settled(address, offset);
                if base == address {
                    break;
                }
                (address, offset) = (base, behind);
            } else if address.opcode() == Opcode::LLVMPHI {
                // Stands for itself while its own addresses are looked for.
                self.joined.insert(address, (address, 0));
                let incoming = address.incoming().into_iter().map(|(from, _)| from);
                let all: Vec<(Value, i64)> = incoming.map(|from| self.of(module, from)).collect();
                self.unite(address, &all);
                break;
            } else {
                break;
            }
        }
        self.settled(address, offset)
    }

    fn is_known(&self, join: Value) -> bool {
        self.joined.contains_key(&join)
    }

    /// Follows what stands for an address to its end.
    fn settled(&self, mut address: Value, mut offset: i64) -> (Value, i64) {
        while let Some((base, behind)) = self.joined.get(&address)
            && *base != address
        {
            offset += behind;
            address = *base;
        }
        (address, offset)
    }

    fn unite(&mut self, join: Value, all: &[(Value, i64)]) {
        for (from, offset) in all {
            let (from, offset) = self.settled(*from, *offset);
            let (own, behind) = self.settled(join, 0);
            if from == own {
                let record = self.records.get(&own).copied().unwrap_or(0);
                self.records.insert(own, gcd(record, (offset - behind).unsigned_abs()));
            } else {
                // The join is so far behind `own` as `from` is behind what it stands for.
                let record = gcd(self.records.remove(&own).unwrap_or(0), self.records.get(&from).copied().unwrap_or(0));
                self.joined.insert(own, (from, offset - behind));
                self.records.insert(from, record);
            }
        }
    }
}
