//! Machines whose values are numbers, texts and codes of one byte: the variants of an enum, cloned from a program, pushed and popped by value.

use crate::functional;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

#[derive(Clone)]
enum Cell {
    Num(f64),
    Text(String),
    Code(u8),
}

struct Forth {
    stack: Vec<Cell>,
    out: String,
    steps: usize,
}

impl Forth {
    fn number(&mut self) -> Result<f64, String> {
        self.steps += 1;
        match self.stack.pop() {
            Some(Cell::Num(v)) => Ok(v),
            Some(Cell::Text(text)) => {
                self.out.push_str(&text);
                Ok(text.len() as f64)
            }
            Some(Cell::Code(code)) => Err(format!("code {code}")),
            None => Err("empty".to_string()),
        }
    }

    fn run(&mut self, program: &[Cell]) -> Result<f64, String> {
        for cell in program {
            match cell {
                Cell::Code(b'*') => {
                    let (b, a) = (self.number()?, self.number()?);
                    self.stack.push(Cell::Num(a * b));
                }
                Cell::Code(b'-') => {
                    let (b, a) = (self.number()?, self.number()?);
                    self.stack.push(Cell::Num(a - b));
                }
                Cell::Code(b's') => {
                    let a = self.number()?;
                    self.stack.push(Cell::Num(a.sin()));
                }
                Cell::Code(code) => return Err(format!("unknown {code}")),
                other => self.stack.push(other.clone()),
            }
        }
        self.number()
    }
}

fn number(stack: &mut Vec<Cell>) -> Option<f64> {
    match stack.pop()? {
        Cell::Num(v) => Some(v),
        Cell::Text(text) => Some(text.len() as f64),
        Cell::Code(_) => None,
    }
}

fn calculated(stack: &mut Vec<Cell>, program: &[Cell]) -> Option<()> {
    for cell in program {
        match cell {
            Cell::Code(b'*') => {
                let (b, a) = (number(stack)?, number(stack)?);
                stack.push(Cell::Num(a * b));
            }
            Cell::Code(_) => return None,
            other => stack.push(other.clone()),
        }
    }
    Some(())
}

#[inline(never)]
fn popped(stack: &mut Vec<Cell>) -> Option<f64> {
    number(stack)
}

#[derive(Clone)]
enum Entry {
    Num(f64),
    Scaled(String, f64),
    Flag(u8),
}

fn looked_up(all: &[Entry], index: usize) -> f64 {
    match all.get(index).cloned() {
        Some(Entry::Num(v)) => v * v,
        Some(Entry::Scaled(text, scale)) => scale * looked_up(all, text.len()),
        Some(Entry::Flag(byte)) => f64::from(byte),
        None => 0.0,
    }
}

#[inline(never)]
fn looked_at(all: &[Entry], index: usize) -> f64 {
    match all.get(index).cloned() {
        Some(Entry::Num(v)) => v * v,
        Some(Entry::Scaled(text, scale)) => scale * text.len() as f64,
        Some(Entry::Flag(byte)) => f64::from(byte),
        None => 0.0,
    }
}

#[derive(Clone)]
enum Formula {
    Num(f64),
    Ref(String, f64),
    Sum(u64, u64),
}

fn evaluated(all: &[Formula], index: usize, y: f64) -> f64 {
    match all.get(index).cloned() {
        Some(Formula::Num(v)) => v * v,
        Some(Formula::Ref(text, scale)) => scale * evaluated(all, text.len(), y),
        Some(Formula::Sum(a, b)) => y * y * a as f64 + y * b as f64 * evaluated(all, b as usize, y),
        None => 0.0,
    }
}

#[derive(Clone)]
enum Instruction {
    Push(f64),
    Store(usize),
    Add,
    Jump(u16),
    Call { name: String, arguments: u8 },
    Halt,
}

enum Fault {
    Underflow { at: usize },
    Unknown(String),
}

struct Machine {
    stack: Vec<f64>,
    memory: [f64; 4],
    at: usize,
}

impl Machine {
    fn pop(&mut self) -> Result<f64, Fault> {
        self.stack.pop().ok_or(Fault::Underflow { at: self.at })
    }

    fn run(&mut self, code: &[Instruction]) -> Result<f64, Fault> {
        loop {
            let instruction = code[self.at].clone();
            self.at += 1;
            match instruction {
                Instruction::Push(v) => self.stack.push(v),
                Instruction::Store(place) => self.memory[place] = self.pop()?,
                Instruction::Add => {
                    let (a, b) = (self.pop()?, self.pop()?);
                    self.stack.push(a + b);
                }
                Instruction::Jump(to) => self.at = usize::from(to),
                Instruction::Call { name, arguments } => {
                    let left = self.stack.len().checked_sub(usize::from(arguments));
                    let taken = self.stack.split_off(left.ok_or(Fault::Underflow { at: self.at })?);
                    let result = match (name.as_str(), &taken[..]) {
                        ("sin", [x]) => x.sin(),
                        _ => return Err(Fault::Unknown(name)),
                    };
                    self.stack.push(result);
                }
                Instruction::Halt => return self.pop(),
            }
        }
    }
}

enum Kind {
    Arrive { who: u32 },
    Depart { server: u8 },
}

struct Event {
    at: f64,
    number: u64,
    kind: Kind,
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}
impl Eq for Event {}
impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Event {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.at.total_cmp(&self.at).then(other.number.cmp(&self.number))
    }
}

struct Servers {
    events: BinaryHeap<Event>,
    number: u64,
    now: f64,
    queue: VecDeque<(u32, f64)>,
    busy: [bool; 2],
    waits: BTreeMap<u32, f64>,
}

impl Servers {
    fn schedule(&mut self, delay: f64, kind: Kind) {
        self.number += 1;
        self.events.push(Event { at: self.now + delay, number: self.number, kind });
    }

    fn run(&mut self, between: f64, service: f64, customers: u32) {
        self.schedule(0.1, Kind::Arrive { who: 0 });
        while let Some(Event { at, kind, .. }) = self.events.pop() {
            self.now = at;
            match kind {
                Kind::Arrive { who } => {
                    self.queue.push_back((who, self.now));
                    if who + 1 < customers {
                        self.schedule(between, Kind::Arrive { who: who + 1 });
                    }
                }
                Kind::Depart { server } => self.busy[usize::from(server)] = false,
            }
            while let Some(server) = self.busy.iter().position(|busy| !busy) {
                let Some((who, since)) = self.queue.pop_front() else { break };
                self.busy[server] = true;
                self.waits.insert(who, self.now - since);
                self.schedule(service, Kind::Depart { server: server as u8 });
            }
        }
    }
}

functional! {
    fn words_of_a_program_are_cloned_to_the_stack(x: &[f64]) -> f64 {
        let program = [
            Cell::Num(x[0]), Cell::Num(x[1]), Cell::Code(b'*'), Cell::Text("abc".into()), Cell::Code(b'*'),
            Cell::Code(b's'), Cell::Num(x[2]), Cell::Code(b'-'),
        ];
        let mut forth = Forth { stack: vec![], out: String::new(), steps: 0 };
        let result = forth.run(&program).unwrap();
        result * result + forth.steps as f64 + forth.out.len() as f64 * x[3]
    } at [0.33, 0.71, 1.34, 0.44];

    fn cells_are_cloned_where_an_arm_names_none_of_them(x: &[f64]) -> f64 {
        let (a, b) = (Cell::Num(x[0]), Cell::Num(x[1]));
        let program = vec![a, b, Cell::Code(b'*'), Cell::Text("four".into()), Cell::Code(b'*')];
        let mut stack = vec![];
        calculated(&mut stack, &program).unwrap();
        number(&mut stack).unwrap()
    } at [0.33, 0.71];

    fn a_text_is_popped_between_numbers(x: &[f64]) -> f64 {
        let mut stack = vec![Cell::Num(x[0]), Cell::Text("four".into()), Cell::Num(x[1])];
        popped(&mut stack).unwrap() * popped(&mut stack).unwrap() * popped(&mut stack).unwrap()
    } at [0.33, 0.71];

    fn entries_are_cloned_out_of_a_slice_in_a_recursion(x: &[f64]) -> f64 {
        let all = vec![Entry::Num(x[0]), Entry::Num(x[1]), Entry::Scaled("a".into(), x[2]), Entry::Flag(3)];
        (0..5).map(|index| looked_up(&all, index)).sum()
    } at [0.33, 0.71, 1.34];

    fn entries_are_cloned_out_of_a_slice_by_a_call(x: &[f64]) -> f64 {
        let all = vec![Entry::Num(x[0]), Entry::Num(x[1]), Entry::Scaled("a".into(), x[2])];
        looked_at(&all, 2) + looked_at(&all, 0)
    } at [0.33, 0.71, 1.34];

    fn formulas_of_numbers_and_texts_refer_to_each_other(x: &[f64]) -> f64 {
        let all =
            vec![Formula::Num(x[0]), Formula::Num(x[1]), Formula::Ref("a".into(), x[2]), Formula::Sum(1, 2)];
        evaluated(&all, 3, x[1]).sin()
    } at [0.33, 0.71, 1.34];

    fn instructions_of_all_kinds_are_cloned_before_they_run(x: &[f64]) -> f64 {
        let code = [
            Instruction::Push(x[0] * x[1]), Instruction::Store(3), Instruction::Push(x[1].exp()),
            Instruction::Store(2), Instruction::Add, Instruction::Halt,
        ];
        let mut machine = Machine { stack: vec![], memory: [0.0; 4], at: 0 };
        match machine.run(&code) {
            Ok(value) => value,
            Err(Fault::Underflow { at }) => machine.memory[3] * machine.memory[2] + at as f64,
            Err(Fault::Unknown(name)) => name.len() as f64,
        }
    } at [0.7, 1.2];

    fn a_machine_jumps_and_calls(x: &[f64]) -> f64 {
        let call = Instruction::Call { name: "sin".into(), arguments: 1 };
        let code = [
            Instruction::Push(x[0]), Instruction::Jump(3), Instruction::Push(7.0), call, Instruction::Push(x[1]),
            Instruction::Add, Instruction::Halt,
        ];
        let mut machine = Machine { stack: vec![], memory: [0.0; 4], at: 0 };
        machine.run(&code).unwrap_or(-5.0)
    } at [0.7, 1.2];

    fn events_are_queued_by_their_times(x: &[f64]) -> f64 {
        let mut servers = Servers {
            events: BinaryHeap::new(),
            number: 0,
            now: 0.0,
            queue: VecDeque::new(),
            busy: [false; 2],
            waits: BTreeMap::new(),
        };
        servers.run(x[0], x[1], 8);
        servers.waits.values().sum::<f64>() * servers.now
    } at [0.3, 0.85];
}

#[derive(Clone)]
enum Operand {
    Num(f64),
    Int(i64),
    List(Vec<f64>),
}

enum Step {
    Push(Operand),
    Add,
    Neg,
    Halt,
}

fn stepped(steps: &[Step]) -> Option<Operand> {
    let (mut stack, mut at) = (Vec::new(), 0);
    loop {
        let step = &steps[at];
        at += 1;
        match step {
            Step::Push(operand) => stack.push(operand.clone()),
            Step::Add => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                stack.push(match (a, b) {
                    (Operand::List(mut list), Operand::Num(number)) => {
                        list[0] += number;
                        Operand::List(list)
                    }
                    _ => return None,
                });
            }
            Step::Neg => {
                let operand = stack.pop()?;
                stack.push(match operand {
                    Operand::Num(number) => Operand::Num(-number),
                    Operand::Int(number) => Operand::Int(-number),
                    other => other,
                });
            }
            Step::Halt => return stack.pop(),
        }
    }
}

#[test]
fn operands_that_are_cloned_are_negated_as_what_they_are() {
    let first = |operand| match operand {
        Some(Operand::List(list)) => list[0] * list[0],
        Some(Operand::Num(number)) => number * 3.0,
        Some(Operand::Int(number)) => number as f64,
        None => 0.0,
    };
    let added = |x: &[f64]| {
        let (list, number) = (Operand::List(x.to_vec()), Operand::Num(x[1]));
        first(stepped(&[Step::Push(list), Step::Push(number), Step::Add, Step::Halt]))
    };
    let negated = |x: &[f64]| {
        let (list, number, count) = (Operand::List(x.to_vec()), Operand::Num(x[1] * x[2]), Operand::Int(4));
        let steps =
            [Step::Push(count), Step::Neg, Step::Push(list), Step::Push(number), Step::Neg, Step::Add, Step::Halt];
        first(stepped(&steps))
            + first(stepped(&steps[3..4].iter().map(renewed).chain([Step::Neg, Step::Halt]).collect::<Vec<_>>()))
    };
    testing::check::closure(&[0.8, 1.2, 0.7], added);
    testing::check::closure(&[0.8, 1.2, 0.7], negated);
}

fn renewed(step: &Step) -> Step {
    match step {
        Step::Push(operand) => Step::Push(operand.clone()),
        Step::Add => Step::Add,
        Step::Neg => Step::Neg,
        Step::Halt => Step::Halt,
    }
}
