//! What analyses and plan say of a case.
use crate::case::Case;
use crate::names;
use cotangent_engine::analysis::cfg::LoopId;
use cotangent_engine::analysis::memory::{Object, ObjectId, ObjectSet};
use cotangent_engine::emit::subject::Subject;
use cotangent_engine::ir::{InstId, Op, Val};
use cotangent_engine::plan::{self, flow::Back};

/// `name: a, b`, or nothing where there is nothing.
fn list(name: &str, all: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = all.collect();
    if all.is_empty() { String::new() } else { format!("{name}: {}\n", all.join(", ")) }
}

/// The objects that something points to. What lies behind a parameter that nobody follows is not worth a line.
fn met(subject: &Subject) -> Vec<ObjectId> {
    let (func, memory) = (&subject.func, &subject.memory);
    let mut found = ObjectSet::default();
    for id in func.inst_ids().filter(|id| !matches!(func.inst(*id).op, Op::Integer(_)) && !func.inst(*id).ty.is_int()) {
        found.union(&memory.points_to(Val::Inst(id)));
    }
    let all = (0..memory.objects.len() as u32).map(ObjectId);
    all.filter(|o| !matches!(memory.objects[o.0 as usize], Object::Behind(_)) || found.contains(*o)).collect()
}

/// Loops, dominators, joins, blocks that never return.
pub fn cfg(case: &Case) -> Result<String, String> {
    case.subject(|subject| {
        let (func, cfg) = (&subject.func, &subject.cfg);
        let mut text = String::new();
        for id in cfg.loop_ids() {
            let l = cfg.get(id);
            let facts = &subject.loops[id.0 as usize];
            let around = l.parent.map_or(String::new(), |p| format!(" in {}", names::block(func, cfg.get(p).header)));
            text += &format!(
                "loop {}{around}: preheader {} latch {} blocks {}\n",
                names::block(func, l.header),
                names::block(func, l.preheader),
                names::block(func, l.latch),
                names::blocks(func, &l.blocks)
            );
            let last = facts.trips.map_or("only known after running".into(), |v| names::value(func, v));
            text += &format!("  last count: {last}\n");
        }
        for block in func.block_ids().skip(1) {
            text += &format!(
                "{}: after {}, dominated by {}{}{}\n",
                names::block(func, block),
                names::blocks(func, func.preds(block)),
                names::block(func, cfg.idom[block.0 as usize]),
                if subject.selectors.contains_key(&block) { ", has a selector" } else { "" },
                if func.block(block).returns { "" } else { ", never returns" },
            );
        }
        text
    })
}

/// Objects, pointers, aliases.
pub fn memory(case: &Case) -> Result<String, String> {
    case.subject(|subject| {
        let (func, memory) = (&subject.func, &subject.memory);
        let all = met(subject);
        let name = |o: ObjectId| names::object(func, memory, o);
        let mut text = String::new();
        for object in &all {
            let cells = memory.cells_of(*object).iter().map(|(spot, cells)| {
                let mut cells: Vec<String> = cells.iter().map(|c| names::cell(*c)).collect();
                cells.dedup();
                format!("{} at {}", cells.join(" or "), names::spot(*spot))
            });
            let cells: Vec<String> = cells.collect();
            // Nothing is said of what lies behind a parameter that nobody follows.
            let content = names::objects(func, memory, &memory.content[object.0 as usize]);
            let content = if content == format!("*{}", name(*object)) || content == name(*object) {
                String::new()
            } else {
                content
            };
            if !cells.is_empty() || !content.is_empty() {
                let points = if content.is_empty() { String::new() } else { format!(" -> {content}") };
                let escapes = if memory.escapes(*object) { ", escapes" } else { "" };
                text += &format!("{}: {}{points}{escapes}\n", name(*object), cells.join(", "));
            }
        }
        for id in func.inst_ids() {
            let set = memory.points_to(Val::Inst(id));
            if !set.is_empty() {
                text += &format!("{} -> {}\n", names::value(func, Val::Inst(id)), names::objects(func, memory, &set));
            }
        }
        for (index, a) in all.iter().enumerate() {
            let others = all[index + 1..].iter().filter(|b| memory.may_alias(*a, **b)).map(|b| name(*b));
            text += &list(&format!("{} may overlap", name(*a)), others);
        }
        text
    })
}

/// Values and objects with derivatives, pointers with shadows.
pub fn activity(case: &Case) -> Result<String, String> {
    case.subject(|subject| {
        let (func, memory, activity) = (&subject.func, &subject.memory, &subject.activity);
        let values = |keep: &dyn Fn(Val) -> bool| {
            let kept: Vec<String> =
                func.inst_ids().map(Val::Inst).filter(|v| keep(*v)).map(|v| names::value(func, v)).collect();
            kept.into_iter()
        };
        let objects = |keep: &dyn Fn(ObjectId) -> bool| {
            let all = met(subject).into_iter().filter(|o| keep(*o));
            all.map(|o| names::object(func, memory, o)).collect::<Vec<_>>().into_iter()
        };
        [
            list("active", values(&|v| activity.is_active(v))),
            list("active memory", objects(&|o| activity.is_active_object(o))),
            list("with shadow", values(&|v| activity.has_shadow(v))),
            list("shadowed memory", objects(&|o| activity.is_shadowed(o))),
        ]
        .concat()
    })
}

/// The plan of the reverse sweep.
pub fn plan(case: &Case) -> Result<String, String> {
    case.subject(|subject| {
        let facts = subject.facts();
        let (func, cfg) = (&subject.func, &subject.cfg);
        let plan = plan::build(&facts);
        let header = |l: u32| cfg.get(LoopId(l)).header;
        let name = |item: &plan::Item| names::item(func, header, *item);
        let kept = plan.kept.iter().map(|item| {
            let scope = facts.scope(*item).map(|l| format!(" in {}", names::block(func, cfg.get(l).header)));
            format!("{} ({} bytes{})", name(item), facts.bytes(*item), scope.unwrap_or_default())
        });
        let mut text = list("kept", kept);
        text += &list("computed again", plan.recomputed.iter().map(name));
        let masked = (0..plan.masked.len()).filter(|i| plan.masked[*i]).map(|i| Val::Inst(InstId(i as u32)));
        text += &list("masked", masked.map(|v| names::value(func, v)));
        for block in func.block_ids() {
            let from = names::block(func, block);
            let work = if plan.work[block.0 as usize] { "" } else { ", nothing to do" };
            text += &match &plan.back[block.0 as usize] {
                Back::Never => format!("{from}: not in the reverse sweep\n"),
                Back::Done => format!("{from}: the end{work}\n"),
                Back::To(target) => format!("{from}: back to {}{work}\n", names::block(func, *target)),
                Back::Header(l) => format!(
                    "{from}: back by the counter, {} times{work}\n",
                    match subject.loops[l.0 as usize].trips {
                        Some(last) => format!("{} + 1", names::value(func, last)),
                        None => "as counted".into(),
                    }
                ),
                Back::Select => format!("{from}: back to one of {}{work}\n", names::blocks(func, func.preds(block))),
            };
        }
        text
    })
}
