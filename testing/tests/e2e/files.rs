//! Files that a function reads and writes: once for each call, whatever the mode.
use crate::assert_close;
use cotangent::autodiff;
use std::fs::{self, OpenOptions};
use std::io::Write;

#[autodiff(logged_reverse, Reverse, Const, Duplicated, Active)]
#[autodiff(logged_forward, Forward, Const, Dual, Dual)]
fn logged(path: &str, x: &[f64]) -> f64 {
    let text = fs::read_to_string(path).expect("the file is there");
    let factor: f64 = text.lines().next().expect("a line").parse().expect("a number");
    let mut file = OpenOptions::new().append(true).open(path).expect("it can be written to");
    writeln!(file, "{}", x[0]).expect("there is room");
    factor * x[0] * x[0]
}

#[test]
fn a_file_is_read_and_written_once() {
    let path = std::env::temp_dir().join(format!("cotangent-files-{}", std::process::id()));
    let name = path.to_str().expect("a plain name");
    fs::write(&path, "2.5\n").unwrap();
    let mut slopes = [0.0];
    assert_close!(logged_reverse(name, &[3.0], &mut slopes, 1.0), 22.5);
    assert_close!(slopes, [15.0]);
    assert_close!(logged_forward(name, &[4.0], &[0.5]), (40.0, 10.0));
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(text, "2.5\n3\n4\n");
}
