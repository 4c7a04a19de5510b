//! Keys and rows that are borrowed from what a function is given: it cannot write there, whatever else lies where they are kept.
use crate::assert_close;
use cotangent::{Shadow, autodiff, zeroed};
use std::cell::RefCell;
use std::collections::BTreeMap;

#[derive(Shadow, Clone, Debug)]
struct Asset {
    ticker: String,
    price: f64,
}

#[inline(never)]
fn squares(assets: &[Asset]) -> BTreeMap<&str, f64> {
    let mut squares = BTreeMap::new();
    for asset in assets {
        squares.insert(asset.ticker.as_str(), asset.price * asset.price);
    }
    squares
}

#[autodiff(fourth_powers_reverse, Reverse, Duplicated, Active)]
#[autodiff(fourth_powers_forward, Forward, Dual, Dual)]
fn fourth_powers(assets: &Vec<Asset>) -> f64 {
    squares(assets).values().map(|square| square * square).sum()
}

#[test]
fn a_tree_has_keys_that_are_borrowed_from_an_argument_with_a_shadow() {
    let asset = |(ticker, price): (&str, f64)| Asset { ticker: ticker.to_string(), price };
    let assets: Vec<Asset> = [("b", 1.5), ("a", 2.5), ("c", 3.5)].map(asset).into();
    let mut shadow = zeroed(&assets);
    let value = fourth_powers_reverse(&assets, &mut shadow, 1.0);
    assert_close!(value, assets.iter().map(|a| a.price.powi(4)).sum::<f64>());
    for (asset, shadow) in assets.iter().zip(&shadow) {
        assert_close!(shadow.price, 4.0 * asset.price.powi(3));
        assert_eq!(shadow.ticker, asset.ticker);
    }
    let (_, tangent) = fourth_powers_forward(&assets, &shadow);
    assert_close!(tangent, shadow.iter().map(|s| s.price * s.price).sum::<f64>());
}

/// All of it is inlined, so that nothing stays a call.
#[autodiff(products_reverse, Reverse, Duplicated, Active)]
#[autodiff(products_forward, Forward, Dual, Dual)]
fn products(assets: &[Asset]) -> f64 {
    let mut largest: BTreeMap<&str, f64> = BTreeMap::new();
    for asset in assets {
        let price = largest.entry(&asset.ticker).or_insert(asset.price);
        *price = price.max(asset.price);
    }
    largest.values().map(|price| price * price).product()
}

#[test]
fn a_tree_of_the_differentiated_function_itself_has_borrowed_keys() {
    let asset = |(ticker, price): (&str, f64)| Asset { ticker: ticker.to_string(), price };
    let assets: Vec<Asset> = [("b", 1.5), ("a", 2.5), ("b", 3.5)].map(asset).into();
    let mut shadow = zeroed(&assets);
    let value = products_reverse(&assets, &mut shadow, 1.0);
    assert_close!(value, 2.5 * 2.5 * 3.5 * 3.5);
    assert_eq!(shadow[0].price, 0.0);
    assert_close!(shadow[1].price, 2.0 * value / 2.5);
    assert_close!(shadow[2].price, 2.0 * value / 3.5);
    let (_, tangent) = products_forward(&assets, &shadow);
    assert_close!(tangent, shadow.iter().map(|s| s.price * s.price).sum::<f64>());
}

/// Rules that borrow the inputs.
struct Rules<'x> {
    by_name: BTreeMap<&'static str, Box<dyn Fn(f64) -> f64 + 'x>>,
}

#[autodiff(applied_reverse, Reverse, Duplicated, Active)]
#[autodiff(applied_forward, Forward, Dual, Dual)]
fn applied(x: &[f64]) -> f64 {
    let mut rules = Rules { by_name: BTreeMap::new() };
    rules.by_name.insert("scale", Box::new(|v| v * x[0]));
    rules.by_name.insert("shift", Box::new(|v| v + x[1] * x[2]));
    rules.by_name.insert("bend", Box::new(move |v| (v * x[2]).sin()));
    ["shift", "scale", "bend"].iter().fold(x[1], |v, name| rules.by_name[name](v))
}

#[test]
fn closures_in_a_tree_borrow_the_inputs() {
    let x = [0.8f64, 0.5, 1.5];
    let mut d = [0.0; 3];
    let inner = (x[1] + x[1] * x[2]) * x[0];
    let cosine = (inner * x[2]).cos();
    assert_close!(applied_reverse(&x, &mut d, 1.0), (inner * x[2]).sin());
    assert_close!(d[0], cosine * x[2] * (x[1] + x[1] * x[2]));
    assert_close!(d[1], cosine * x[2] * x[0] * (1.0 + x[2]));
    assert_close!(d[2], cosine * (inner + x[2] * x[0] * x[1]));
    let (_, tangent) = applied_forward(&x, &d);
    assert_close!(tangent, d.iter().map(|d| d * d).sum::<f64>());
}

struct Response {
    person: String,
    item: u16,
    score: f64,
}

struct Missing<'a> {
    person: &'a str,
    level: f64,
}

#[inline(never)]
fn misfit<'r>(rows: &[&'r Response], levels: &BTreeMap<u16, f64>, scale: f64) -> Result<f64, Missing<'r>> {
    let mut sum = 0.0;
    for row in rows {
        let Some(level) = levels.get(&row.item) else {
            return Err(Missing { person: &row.person, level: scale * sum });
        };
        sum += (level * scale - row.score).powi(2);
    }
    Ok(sum)
}

#[autodiff(grouped_reverse, Reverse, Duplicated, Active, Const, Active)]
#[autodiff(grouped_forward, Forward, Dual, Dual, Const, Dual)]
#[inline(never)]
fn grouped(x: &[f64], scale: f64, responses: &[Response]) -> f64 {
    let mut items: Vec<u16> = responses.iter().map(|row| row.item).collect();
    items.sort_unstable();
    items.dedup();
    let levels: BTreeMap<u16, f64> = items.into_iter().zip(x).map(|(item, x)| (item, x.exp())).collect();
    let mut groups: BTreeMap<&str, Vec<&Response>> = BTreeMap::new();
    for row in responses {
        groups.entry(&row.person).or_default().push(row);
    }
    let fits = groups.values().map(|rows| match misfit(rows, &levels, scale) {
        Ok(sum) => sum.ln(),
        Err(Missing { person, level }) => level + person.len() as f64,
    });
    fits.sum()
}

#[test]
fn rows_of_constant_memory_are_grouped_by_a_text_of_theirs_in_a_tree() {
    let row = |(person, item, score): (&str, u16, f64)| Response { person: person.to_string(), item, score };
    let rows = [("ann", 7, 0.4), ("bob", 3, 1.9), ("ann", 3, 0.1), ("bob", 11, 2.5), ("cyd", 7, 0.7), ("cyd", 11, 3.0)];
    let responses: Vec<Response> = rows.map(row).into();
    let (x, scale, h) = ([0.3, -0.4, 0.9], 0.8, 1e-6);
    let mut d = [0.0; 3];
    let (value, d_scale) = grouped_reverse(&x, &mut d, scale, &responses, 1.0);
    assert_close!(value, grouped(&x, scale, &responses));
    let at = |x: &[f64], scale| grouped(x, scale, &responses);
    for i in 0..3 {
        let moved = |by: f64| std::array::from_fn::<f64, 3, _>(|j| if i == j { x[j] + by } else { x[j] });
        let difference = (at(&moved(h), scale) - at(&moved(-h), scale)) / (2.0 * h);
        assert!((difference - d[i]).abs() < 1e-6 * (1.0 + d[i].abs()), "{i}: {} and {difference}", d[i]);
    }
    let difference = (at(&x, scale + h) - at(&x, scale - h)) / (2.0 * h);
    assert!((difference - d_scale).abs() < 1e-6 * (1.0 + d_scale.abs()), "{d_scale} and {difference}");
    let (_, tangent) = grouped_forward(&x, &[1.0, 2.0, -1.0], scale, 0.5, &responses);
    assert_close!(tangent, d[0] + 2.0 * d[1] - d[2] + 0.5 * d_scale);
}

thread_local! {
    static NOTES: RefCell<String> = const { RefCell::new(String::new()) };
}

#[inline(never)]
fn note(asset: &Asset) {
    NOTES.with_borrow_mut(|notes| notes.push_str(&asset.ticker));
}

#[autodiff(noted_reverse, Reverse, Duplicated, Active)]
fn noted(x: &[f64]) -> f64 {
    let count = x.len();
    let assets: Vec<Asset> = x.iter().map(|x| Asset { ticker: format!("{count};"), price: *x }).collect();
    assets.iter().for_each(note);
    assets.iter().map(|asset| asset.price).product()
}

#[test]
fn texts_of_records_with_floats_are_noted_in_a_thread_local() {
    NOTES.take();
    let mut d = [0.0; 2];
    assert_close!(noted_reverse(&[2.0, 5.0], &mut d, 1.0), 10.0);
    assert_eq!(d, [5.0, 2.0]);
    assert_eq!(NOTES.take(), "2;2;");
}

/// What a function is given, beside what it changes.
struct Run<'c> {
    config: &'c Vec<Asset>,
    holdings: BTreeMap<&'c str, f64>,
    value: f64,
}

impl<'c> Run<'c> {
    #[inline(never)]
    fn step(&mut self, weight: f64) {
        for asset in self.config {
            *self.holdings.entry(asset.ticker.as_str()).or_insert(0.0) += weight * asset.price;
        }
        self.value += self.holdings.values().map(|held| held * held).sum::<f64>();
    }
}

#[autodiff(run_reverse, Reverse, Duplicated, Const, Active)]
fn run(x: &[f64], config: &Vec<Asset>) -> f64 {
    let mut run = Run { config, holdings: BTreeMap::new(), value: 0.0 };
    for weight in x {
        run.step(*weight);
    }
    run.value
}

#[test]
fn a_tree_in_a_struct_has_keys_that_are_borrowed_through_a_reference_beside_it() {
    let asset = |(ticker, price): (&str, f64)| Asset { ticker: ticker.to_string(), price };
    let config: Vec<Asset> = [("b", 1.5), ("a", 2.5)].map(asset).into();
    let squares: f64 = config.iter().map(|a| a.price * a.price).sum();
    let mut d = [0.0; 2];
    assert_close!(run_reverse(&[0.5, 2.0], &mut d, &config, 1.0), squares * (0.25 + 6.25));
    assert_close!(d[0], squares * 2.0 * (0.5 + 2.5));
    assert_close!(d[1], squares * 2.0 * 2.5);
}

#[derive(Shadow)]
struct Portfolio {
    positions: Vec<(String, f64)>,
    rates: BTreeMap<String, f64>,
    limit: Option<Box<f64>>,
}

#[autodiff(converted_reverse, Reverse, Duplicated, Active)]
#[autodiff(converted_forward, Forward, Dual, Dual)]
fn converted(portfolio: &Portfolio) -> f64 {
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    for (currency, quantity) in &portfolio.positions {
        *sums.entry(currency).or_insert(0.0) += quantity;
    }
    let all: f64 = sums.iter().map(|(currency, sum)| sum * sum * portfolio.rates[*currency]).sum();
    all * portfolio.limit.as_deref().copied().unwrap_or(1.0)
}

#[test]
fn a_tree_with_borrowed_keys_lies_beside_a_tree_of_the_argument() {
    let texts = |all: &[(&str, f64)]| all.iter().map(|(text, v)| ((*text).to_string(), *v)).collect::<Vec<_>>();
    let positions = texts(&[("usd", 1.5), ("eur", 2.0), ("usd", 0.5)]);
    let rates = texts(&[("eur", 1.25), ("usd", 0.75)]).into_iter().collect();
    let portfolio = Portfolio { positions, rates, limit: Some(Box::new(3.0)) };
    let mut shadow = zeroed(&portfolio);
    let value = converted_reverse(&portfolio, &mut shadow, 1.0);
    assert_close!(value, 3.0 * (4.0 * 0.75 + 4.0 * 1.25));
    let quantities: Vec<f64> = shadow.positions.iter().map(|(_, v)| *v).collect();
    assert_close!(quantities, [3.0 * 4.0 * 0.75, 3.0 * 4.0 * 1.25, 3.0 * 4.0 * 0.75]);
    assert_close!([shadow.rates["usd"], shadow.rates["eur"]], [12.0, 12.0]);
    assert_close!(**shadow.limit.as_ref().expect("there is a limit"), 8.0);
    let (_, tangent) = converted_forward(&portfolio, &shadow);
    assert_close!(tangent, quantities.iter().map(|v| v * v).sum::<f64>() + 288.0 + 64.0);
}
