//! Derivatives that run: by the interpreter, against forward mode and against differences.
//!
//! The floats of all outputs, each with a weight of its own, make one number. Its derivative with respect to each float of each input comes
//! from reverse mode (the weights are the seeds), from forward mode (one direction at a time) and from central differences of
//! the primal, and must be the same. `; in %x = 1.5 2` gives the floats of a parameter (`i64:3`, `i32:3` and `i8:3` integers, `_` eight bytes that nobody has written);
//! a result without such a line is one float.
use crate::case::Case;
use crate::machine::{Machine, V};
use crate::text;
use cotangent_contract::{Activity, Kind, Mode, Param, Request};
use cotangent_engine::llvm::Module;

/// A float among the bytes of a parameter.
#[derive(Clone, Copy)]
struct Place {
    offset: u64,
    size: u64,
}

/// A parameter's bytes.
struct Memory {
    name: String,
    param: Param,
    /// The values at their offsets; floats as bits of a `f64`.
    cells: Vec<(Place, Cell)>,
    size: u64,
}

#[derive(Clone, Copy)]
enum Cell {
    Float(f64),
    Int(u64),
    Unwritten,
}

impl Memory {
    fn floats(&self) -> Vec<Place> {
        let is_float = |cell: &&(Place, Cell)| !matches!(cell.1, Cell::Int(_));
        self.cells.iter().filter(is_float).map(|(place, _)| *place).collect()
    }
    fn is_active(&self) -> bool {
        self.param.activity != Activity::Const
    }
    fn is_output(&self) -> bool {
        matches!(self.param.kind, Kind::Return | Kind::Mut | Kind::MutSlice)
    }
    fn is_input(&self) -> bool {
        self.param.kind != Kind::Return
    }
}

/// Lays out the parameters.
fn memories(case: &Case, module: Module, request: &Request) -> Result<Vec<Memory>, String> {
    let thunk = case.thunk(module, request)?;
    let mut names = thunk.params().into_iter().map(|p| p.name());
    let mut all = Vec::new();
    for param in &request.params {
        let name = names.next().unwrap_or_default();
        let given = case.inputs.iter().find(|(n, _)| *n == format!("%{name}")).map(|(_, values)| values.clone());
        let values = match given {
            Some(values) => values,
            None if param.kind == Kind::Return => vec!["_".into()],
            None => return Err(format!("`; in %{name} = ..` is missing")),
        };
        let width = if param.floats == 4 { 4 } else { 8 };
        let (mut cells, mut size) = (Vec::new(), 0);
        for text in values {
            let wrong = || format!("`{text}` is no value");
            let (bytes, cell) = match text.split_once(':') {
                Some((ty, number)) => {
                    let bits: u64 = ty.strip_prefix('i').and_then(|b| b.parse().ok()).ok_or_else(wrong)?;
                    (bits / 8, Cell::Int(number.parse::<i64>().map_err(|_| wrong())? as u64))
                }
                None if text == "_" => (width, Cell::Unwritten),
                None => (width, Cell::Float(text.parse().map_err(|_| wrong())?)),
            };
            size = u64::next_multiple_of(size, bytes);
            cells.push((Place { offset: size, size: bytes }, cell));
            size += bytes;
        }
        if param.has_length() {
            names.next();
        }
        all.push(Memory { name, param: *param, cells, size });
    }
    Ok(all)
}

fn bits(place: Place, value: f64) -> u64 {
    if place.size == 4 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
}

fn read(machine: &mut Machine, address: u64, place: Place) -> Result<f64, String> {
    let word = machine.storage.read(address + place.offset, place.size)?;
    let word = word.ok_or("a result was not written")?;
    Ok(if place.size == 4 { f64::from(f32::from_bits(word as u32)) } else { f64::from_bits(word) })
}

/// A direction in the space of the inputs' floats, and how far to go.
type Moved<'a> = (&'a [f64], f64);

/// Where the case says.
const UNMOVED: Moved = (&[], 0.0);

/// Writes a primal.
fn primal(machine: &mut Machine, memory: &Memory, count: &mut usize, moved: Moved) -> Result<u64, String> {
    let address = machine.storage.allocate(memory.size, false, false);
    for (place, cell) in &memory.cells {
        let word = match cell {
            Cell::Float(value) => {
                let active = memory.is_active() && memory.is_input();
                let by = if active { moved.0.get(*count).map_or(0.0, |d| d * moved.1) } else { 0.0 };
                *count += usize::from(active);
                bits(*place, value + by)
            }
            Cell::Int(value) => *value,
            Cell::Unwritten => continue,
        };
        machine.storage.write(address + place.offset, place.size, Some(word))?;
    }
    Ok(address)
}

/// The weight of an output.
fn weight(number: usize) -> f64 {
    1.0 / (1.0 + 0.375 * number as f64)
}

/// The outputs' floats.
fn outputs(machine: &mut Machine, memories: &[Memory], addresses: &[u64], active: bool) -> Result<Vec<f64>, String> {
    let mut all = Vec::new();
    for (memory, address) in memories.iter().zip(addresses) {
        if memory.is_output() && (!active || memory.is_active()) {
            for place in memory.floats() {
                all.push(read(machine, *address, place)?);
            }
        }
    }
    Ok(all)
}

fn weighted(values: &[f64]) -> f64 {
    values.iter().enumerate().map(|(i, v)| weight(i) * v).sum()
}

/// Runs the primal with an input moved.
fn value(module: Module, memories: &[Memory], moved: Moved, active: bool) -> Result<Vec<f64>, String> {
    let mut machine = Machine::new(module);
    let (mut count, mut addresses, mut arguments) = (0, Vec::new(), Vec::new());
    for memory in memories {
        let address = primal(&mut machine, memory, &mut count, moved)?;
        addresses.push(address);
        arguments.push(V::Int(address));
        arguments.extend(memory.param.has_length().then_some(V::Int(memory.cells.len() as u64)));
    }
    let thunk = module.function("f").ok_or("a case defines `@f`")?;
    machine.call(thunk, &arguments).map_err(|e| format!("the primal: {e}"))?;
    match machine.storage.leaks() {
        0 => outputs(&mut machine, memories, &addresses, active),
        leaks => Err(format!("the primal leaks {leaks} blocks")),
    }
}

/// What shadows of shared references hold before the derivative adds to them.
const BEFORE: f64 = 0.5;

/// Runs a derivative; answers the primal's outputs and what the shadows of inputs (reverse) or outputs (forward, in this direction) hold.
fn derivative(
    module: Module,
    mode: Mode,
    memories: &[Memory],
    direction: &[f64],
) -> Result<(Vec<f64>, Vec<f64>), String> {
    let mut machine = Machine::new(module);
    let (mut count, mut inputs, mut seeds) = (0, 0, 0);
    let (mut addresses, mut shadows, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
    for memory in memories {
        let address = primal(&mut machine, memory, &mut count, UNMOVED)?;
        addresses.push(address);
        arguments.push(V::Int(address));
        if memory.is_active() {
            let shadow = machine.storage.allocate(memory.size, false, false);
            for place in memory.floats() {
                let start = match (mode, memory.param.kind) {
                    (Mode::Forward, Kind::Return) => None,
                    (Mode::Forward, _) => Some(direction.get(inputs).copied().unwrap_or(0.0)),
                    (Mode::Reverse, Kind::Ref | Kind::Slice) => Some(BEFORE),
                    (Mode::Reverse, Kind::Value) => Some(0.0),
                    (Mode::Reverse, _) => Some(weight(seeds)),
                };
                inputs += usize::from(memory.is_input());
                seeds += usize::from(memory.is_output());
                let word = start.map(|value| bits(place, value));
                machine.storage.write(shadow + place.offset, place.size, word)?;
            }
            shadows.push((memory, shadow));
            arguments.push(V::Int(shadow));
        }
        arguments.extend(memory.param.has_length().then_some(V::Int(memory.cells.len() as u64)));
    }
    let function = module.function("d").ok_or("no derivative")?;
    machine.call(function, &arguments).map_err(|e| {
        format!("{mode:?}: {e}\n{}", module.function("d.body").map(|f| f.value().to_string()).unwrap_or_default())
    })?;
    if machine.storage.leaks() > 0 {
        return Err(format!("{mode:?} leaks {} blocks", machine.storage.leaks()));
    }
    let values = outputs(&mut machine, memories, &addresses, false)?;
    let mut found = Vec::new();
    for (memory, shadow) in shadows {
        let wanted = if mode == Mode::Forward { memory.is_output() } else { memory.is_input() };
        if wanted {
            let before = if matches!(memory.param.kind, Kind::Ref | Kind::Slice) { BEFORE } else { 0.0 };
            for place in memory.floats() {
                found.push(read(&mut machine, shadow, place)? - before);
            }
        }
    }
    Ok((values, found))
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs())) || a.to_bits() == b.to_bits()
}

/// Ten digits, of which the last say nothing of the machine's libm.
fn number(value: f64) -> String {
    let rounded: f64 = format!("{value:.9e}").parse().unwrap_or(value);
    rounded.to_string()
}

/// Which code is differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// That of the file.
    AsWritten,
    /// What the clean-up makes of it, with everything inlined.
    CleanedUp,
}

impl Form {
    fn derive(self, case: &Case, mode: Mode) -> Result<Module, String> {
        match self {
            Form::AsWritten => text::derive(case, mode),
            Form::CleanedUp => text::derive_cleaned_up(case, mode),
        }
        .map_err(|e| format!("{self:?}: {e}"))
    }
}

/// Runs the case. With `kink`, differences are not asked; with `along`, one direction between all axes is tried, not each of them.
pub fn run(case: &Case) -> Result<String, String> {
    let request = case.request(Mode::Reverse);
    let primal = case.module()?;
    let memories = memories(case, primal, &request)?;
    let all = value(primal, &memories, UNMOVED, false)?;
    let single = request.params.iter().any(|p| p.floats == 4);
    let (exact, rough, step) = if single { (1e-5, 2e-2, 1e-2) } else { (1e-12, 1e-7, 1e-6) };
    let count: usize = memories.iter().filter(|m| m.is_active() && m.is_input()).map(|m| m.floats().len()).sum();
    let directions: Vec<Vec<f64>> = if case.has("along") {
        vec![(0..count).map(|i| if i % 3 == 1 { -weight(i) } else { weight(i) }).collect()]
    } else {
        (0..count).map(|axis| (0..count).map(|i| f64::from(u8::from(i == axis))).collect()).collect()
    };

    let mut adjoints = Vec::new();
    for form in [Form::AsWritten, Form::CleanedUp] {
        let found = derivatives(case, form, &memories, &all, &directions, exact);
        let found = found.map_err(|e| format!("{form:?}: {e}"))?;
        if form == Form::CleanedUp {
            same("the derivative of the code as written and after clean-up", &adjoints, &found, exact)?;
        }
        adjoints = found;
    }
    if !case.has("kink") {
        let mut differences = Vec::new();
        for (direction, derivative) in directions.iter().zip(along(&adjoints, &directions)) {
            let at = |step: f64| value(primal, &memories, (direction, step), true).map(|v| weighted(&v));
            let (above, here, below) = (at(step)?, at(0.0)?, at(-step)?);
            // A random program may stand on a kink or a jump, where differences say nothing.
            let smooth = close((above - here) / step, (here - below) / step, 1e-3);
            let skipped = case.has("along") && !smooth;
            differences.push(if skipped { derivative } else { (above - below) / (2.0 * step) });
        }
        same("the derivative and differences", &along(&adjoints, &directions), &differences, rough)?;
    }
    Ok(show(&memories, &all, &adjoints))
}

/// Derivatives in these directions.
fn along(adjoints: &[f64], directions: &[Vec<f64>]) -> Vec<f64> {
    directions.iter().map(|d| d.iter().zip(adjoints).map(|(d, a)| d * a).sum()).collect()
}

/// Adjoints by reverse mode, which forward mode agrees with.
fn derivatives(
    case: &Case,
    form: Form,
    memories: &[Memory],
    all: &[f64],
    directions: &[Vec<f64>],
    exact: f64,
) -> Result<Vec<f64>, String> {
    let mut adjoints = Vec::new();
    if case.mode != Some(Mode::Forward) {
        let (values, found) = derivative(form.derive(case, Mode::Reverse)?, Mode::Reverse, memories, &[])?;
        same("values of reverse mode and of the primal", &values, all, 0.0)?;
        adjoints = found;
    }
    if case.mode != Some(Mode::Reverse) {
        let module = form.derive(case, Mode::Forward)?;
        let mut tangents = Vec::new();
        for direction in directions {
            let (values, found) = derivative(module, Mode::Forward, memories, direction)?;
            same("values of forward mode and of the primal", &values, all, 0.0)?;
            tangents.push(weighted(&found));
        }
        if adjoints.is_empty() {
            adjoints = tangents.clone();
        }
        same("reverse mode and forward mode", &along(&adjoints, directions), &tangents, exact)?;
    }
    Ok(adjoints)
}

fn same(what: &str, a: &[f64], b: &[f64], tolerance: f64) -> Result<(), String> {
    let equal = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(*a, *b, tolerance));
    if equal { Ok(()) } else { Err(format!("{what} are not the same:\n  {a:?}\n  {b:?}")) }
}

fn show(memories: &[Memory], values: &[f64], adjoints: &[f64]) -> String {
    let mut text = String::new();
    let mut line = |title: &str, memory: &Memory, rest: &mut dyn Iterator<Item = &f64>| {
        let numbers: Vec<String> = rest.take(memory.floats().len()).map(|v| number(*v)).collect();
        text += format!("{title} %{}: {}", memory.name, numbers.join(" ")).trim_end();
        text += "\n";
    };
    let (mut values, mut adjoints) = (values.iter(), adjoints.iter());
    memories.iter().filter(|m| m.is_output()).for_each(|m| line("value of", m, &mut values));
    memories.iter().filter(|m| m.is_active() && m.is_input()).for_each(|m| line("adjoint of", m, &mut adjoints));
    text
}

/// What the interpreter is there to notice.
#[test]
fn the_machine_notices_what_a_processor_lets_pass() {
    let wrong = |body: &str| {
        let text = format!(
            "; test run rd8,od8\n; in %x = 1.5\ndeclare ptr @malloc(i64)\ndeclare void @free(ptr)\n\
             define void @f(ptr %x, ptr %r) {{\n  %p = call ptr @malloc(i64 8)\n{body}  ret void\n}}\n"
        );
        let case = Case::parse("machine".into(), &text).expect("the case is well formed");
        run(&case).expect_err("this is wrong")
    };
    let unwritten = wrong("  %v = load double, ptr %p\n  store double %v, ptr %r\n  call void @free(ptr %p)\n");
    assert!(unwritten.contains("a result was not written"), "{unwritten}");
    let freed = wrong("  call void @free(ptr %p)\n  store double 1.0, ptr %p\n  store double 1.0, ptr %r\n");
    assert!(freed.contains("memory was freed before"), "{freed}");
    let leaked = wrong("  store double 1.0, ptr %r\n");
    assert!(leaked.contains("leaks 1 blocks"), "{leaked}");
    let outside = wrong(
        "  %q = getelementptr double, ptr %x, i64 1\n  %v = load double, ptr %q\n  store double %v, ptr %r\n  call void @free(ptr %p)\n",
    );
    assert!(outside.contains("8 bytes at 8 of 8"), "{outside}");
}
