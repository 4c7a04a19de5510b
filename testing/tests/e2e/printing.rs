//! Printing inside a differentiated function.

use crate::{assert_close, functional};
use cotangent::autodiff;
use std::fmt::Write;

#[autodiff(printing_reverse, Reverse, Active, ActiveOnly)]
fn printing(x: f64) -> f64 {
    let y = x * x;
    println!("a square of {x} is {y}");
    y * x
}

#[test]
fn a_function_may_print() {
    assert_close!(printing_reverse(2.0, 1.0), 12.0);
}

#[autodiff(logging_reverse, Reverse, Active, Const, ActiveOnly)]
#[autodiff(logging_forward, Forward, Dual, Const, Dual)]
fn logging(x: f64, log: &mut String) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        y *= x;
        let _ = write!(log, "{y};");
    }
    y
}

#[test]
fn what_is_written_is_written_once() {
    let mut log = String::new();
    assert_close!(logging_reverse(2.0, &mut log, 1.0), 32.0);
    assert_eq!(log, "4;8;16;");
    log.clear();
    assert_close!(logging_forward(2.0, 1.0, &mut log), (16.0, 32.0));
    assert_eq!(log, "4;8;16;");
}

#[autodiff(reporting_reverse, Reverse, Duplicated, Active)]
#[autodiff(reporting_forward, Forward, Dual, Dual)]
fn reporting(x: &[f64]) -> f64 {
    use std::io::Write;
    let (mut out, mut sum) = (std::io::stdout().lock(), 0.0);
    for v in x {
        sum += v * v;
        writeln!(out, "{sum} {v}").unwrap();
        out.write_all(b"raw\n").unwrap();
        out.flush().unwrap();
    }
    sum
}

#[test]
fn a_function_may_write_to_a_locked_output() {
    let mut gradient = [0.0; 2];
    assert_close!(reporting_reverse(&[1.5, 2.0], &mut gradient, 1.0), 6.25);
    assert_close!(gradient, [3.0, 4.0]);
    assert_close!(reporting_forward(&[1.5, 2.0], &[1.0, 1.0]), (6.25, 7.0));
}

#[inline(never)]
fn logged(value: f64, log: &mut dyn std::io::Write) -> std::io::Result<()> {
    writeln!(log, "{value}")
}

// Valgrind sees whether the buffers are given back.
trait Term {
    fn value(&self, x: &[f64]) -> f64;
}

struct Offset(f64);

impl Term for Offset {
    fn value(&self, x: &[f64]) -> f64 {
        x[1] - self.0
    }
}

struct Named {
    name: &'static str,
    term: Box<dyn Term>,
}

functional! {
    fn what_lies_beside_an_object_is_printed(x: &[f64]) -> f64 {
        let named = |name, offset| Named { name, term: Box::new(Offset(offset)) };
        let mut sum = 0.0;
        for named in &vec![named("first", x[0] * x[0]), named("second", x[2])] {
            sum += named.term.value(x).sin();
            println!("{} {sum}", named.name);
        }
        sum
    }
    at [0.3, 0.7, 1.1];

    fn the_names_of_closures_are_printed(x: &[f64]) -> f64 {
        type Named<'a> = (&'a str, Box<dyn Fn(&[f64]) -> f64>);
        let last = x[2];
        let terms: Vec<Named> = vec![("first", Box::new(|x| x[0].exp())), ("second", Box::new(move |x| x[1] - last))];
        let mut sum = 0.0;
        for (name, term) in &terms {
            sum += term(x).sin();
            eprintln!("{name}");
        }
        sum
    }
    at [0.3, 0.7, 1.1];

    fn a_function_may_have_buffers_of_output(x: &[f64]) -> f64 {
        use std::io::{BufWriter, Cursor, LineWriter, Write, sink};
        let (mut all, mut lines) = (BufWriter::new(sink()), LineWriter::new(sink()));
        let (mut vector, mut cursor) = (BufWriter::with_capacity(4, Vec::new()), Cursor::new(Vec::new()));
        let mut sum = 0.0;
        for v in x {
            sum += v * v;
            writeln!(all, "{sum}").unwrap();
            writeln!(lines, "{sum}").unwrap();
            write!(vector, "{sum:.1};").unwrap();
            write!(cursor, "{sum:.1};").unwrap();
        }
        let written = [vector.into_inner().unwrap(), cursor.into_inner()];
        written.iter().map(|bytes| bytes.len() as f64).sum::<f64>() * sum
    } at [1.5, 2.0];

    fn buffers_in_loops_and_behind_pointers_may_be_left_early(x: &[f64]) -> f64 {
        use std::io::{BufWriter, Write, sink};
        let mut log: Box<dyn Write> = if x[0] > 1.0 { Box::new(BufWriter::new(sink())) } else { Box::new(sink()) };
        let mut sum = 0.0;
        for v in x {
            let mut own = BufWriter::with_capacity(16, sink());
            sum += v * v;
            logged(sum, &mut log).unwrap();
            write!(own, "{sum:.1}").unwrap();
            if sum > 8.0 {
                return sum * own.buffer().len() as f64;
            }
        }
        sum
    } at [1.5, 2.0, 3.0], [0.5, 1.0, 0.5], [0.5, 1.0, 5.0];

    fn numbers_are_read_from_buffers_of_input(x: &[f64]) -> f64 {
        use std::io::{BufRead, BufReader, Cursor, Read};
        let mut reader = BufReader::new(Cursor::new(b"2\n3\n4\n".to_vec()));
        let (mut line, mut bytes, mut sum) = (String::new(), [0; 2], 0.0);
        for x in x {
            reader.read_line(&mut line).unwrap();
            sum += line.trim().parse::<f64>().unwrap() * x * x;
            line.clear();
        }
        reader.read_exact(&mut bytes).unwrap();
        sum * f64::from(bytes[0] - b'0')
    } at [1.5, 2.0];
}

#[autodiff(stored_reverse, Reverse, Duplicated, Active)]
#[autodiff(stored_forward, Forward, Dual, Dual)]
fn stored(x: &[f64]) -> f64 {
    use std::io::{Read, Write};
    let mut bytes: Vec<u8> = Vec::new();
    for v in x {
        bytes.write_all(&v.to_ne_bytes()).unwrap();
    }
    let (mut file, mut next, mut sum) = (std::io::Cursor::new(bytes), [0; 8], 0.0);
    while file.read_exact(&mut next).is_ok() {
        sum += f64::from_ne_bytes(next) * 3.0;
    }
    sum
}

#[test]
fn a_file_in_memory_is_no_output_and_a_panic_in_reverse_mode() {
    assert_close!(stored_forward(&[1.5, 2.0], &[1.0, 1.0]), (10.5, 6.0));
    let reverse = std::panic::catch_unwind(|| stored_reverse(&[1.5, 2.0], &mut [0.0; 2], 1.0));
    let panic = reverse.expect_err("the bytes are copied where nothing tells what they are");
    assert!(panic.downcast_ref::<String>().is_some_and(|message| message.contains("CT0302")));
}
