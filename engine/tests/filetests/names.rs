//! Facts by the names that the IR has.
use cotangent_engine::analysis::memory::{Cell, Memory, Object, ObjectId, ObjectSet, Spot};
use cotangent_engine::ir::{BlockId, Func, Val};
use cotangent_engine::plan::Item;

/// A value: its name, or its text where it has none.
pub fn value(func: &Func, val: Val) -> String {
    let origin = func.origin(val);
    match (val, origin.name()) {
        (Val::Const(_), name) if !name.is_empty() => format!("@{name}"),
        (Val::Const(_), _) => origin.to_string(),
        (_, name) if !name.is_empty() => format!("%{name}"),
        _ => format!("`{origin}`"),
    }
}

/// A block.
pub fn block(func: &Func, id: BlockId) -> String {
    format!("%{}", func.block(id).block.name())
}

/// Blocks, with blanks between.
pub fn blocks(func: &Func, ids: &[BlockId]) -> String {
    ids.iter().map(|b| block(func, *b)).collect::<Vec<_>>().join(" ")
}

/// An object: `*%p` is what a parameter points to, `*%p->8` what the pointer at 8 there leads to, `**%p` whatever else can be reached.
pub fn object(func: &Func, memory: &Memory, id: ObjectId) -> String {
    match memory.objects[id.0 as usize] {
        Object::Param(i) => format!("*{}", value(func, Val::Arg(i))),
        Object::Behind(i) => format!("**{}", value(func, Val::Arg(i))),
        Object::Path(i, _) => {
            let way = memory.way_to(id).map_or_else(Vec::new, |(_, way)| way);
            let way: Vec<String> = way.into_iter().map(spot).collect();
            format!("*{}->{}", value(func, Val::Arg(i)), way.join("->"))
        }
        Object::Stack(id) => format!("stack {}", value(func, Val::Inst(id))),
        Object::Heap(id) => format!("heap {}", value(func, Val::Inst(id))),
        Object::Global(global) => format!("@{}", global.name()),
    }
}

/// Objects, with commas between.
pub fn objects(func: &Func, memory: &Memory, set: &ObjectSet) -> String {
    set.iter().map(|o| object(func, memory, o)).collect::<Vec<_>>().join(", ")
}

/// A place: `8`, or `8+16k` for 8 and every 16 bytes from there.
pub fn spot(spot: Spot) -> String {
    if spot.stride == 0 { spot.offset.to_string() } else { format!("{}+{}k", spot.offset, spot.stride) }
}

/// What lies at a place.
pub fn cell(cell: Cell) -> String {
    match cell {
        Cell::Float(bytes) => format!("f{}", bytes * 8),
        Cell::Pointer => "ptr".into(),
        Cell::Bits(bytes) => format!("i{}", bytes * 8),
    }
}

/// Something of a plan.
pub fn item(func: &Func, header: impl Fn(u32) -> BlockId, item: Item) -> String {
    match item {
        Item::Value(id) => value(func, Val::Inst(id)),
        Item::Shadow(id) => format!("shadow {}", value(func, Val::Inst(id))),
        Item::Tape(id) => format!("tape of {}", value(func, Val::Inst(id))),
        Item::Trips(l) => format!("trips of {}", block(func, header(l.0))),
    }
}
