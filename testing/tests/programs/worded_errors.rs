//! Errors that hold the words, or the shapes, which they are about, out of functions that look words up in maps of vectors of `f32`.

use std::collections::HashMap;

#[derive(Debug)]
enum Problem {
    Shape { op: &'static str, left: [usize; 2] },
    Unknown(String),
}

struct Tensor {
    data: Vec<f32>,
    shape: [usize; 2],
}

struct Block {
    query: Tensor,
    vocabulary: HashMap<String, Vec<f32>>,
}

impl Block {
    fn embedded(&self, text: &str) -> Result<Tensor, Problem> {
        let row =
            |word: &str| self.vocabulary.get(&word.to_lowercase()).ok_or_else(|| Problem::Unknown(word.to_string()));
        let rows = text.split(' ').map(row).collect::<Result<Vec<_>, Problem>>()?;
        Ok(Tensor { shape: [rows.len(), 2], data: rows.into_iter().flatten().copied().collect() })
    }

    fn forward(&self, text: &str) -> Result<Tensor, Problem> {
        let x = self.embedded(text)?;
        if x.shape[1] != self.query.shape[0] {
            return Err(Problem::Shape { op: "mul", left: x.shape });
        }
        let products = x.data.iter().zip(self.query.data.iter().cycle()).map(|(a, b)| a * b);
        Ok(Tensor { shape: x.shape, data: products.collect() })
    }
}

#[test]
fn words_of_constant_texts_are_looked_up_and_kept_in_errors() {
    #[cotangent::autodiff(forward, Forward, Dual, Const, Dual)]
    #[cotangent::autodiff(reverse, Reverse, Duplicated, Const, Active)]
    fn primal(x: &[f32], texts: &[String]) -> f32 {
        let words = ["the", "cat", "sat"].into_iter().map(String::from);
        let vocabulary = words.zip(x[4..].chunks(2).map(<[f32]>::to_vec)).collect();
        let block = Block { query: Tensor { data: x[..4].to_vec(), shape: [2, 2] }, vocabulary };
        let loss = |text: &String| match block.forward(text) {
            Ok(out) => out.data.iter().map(|v| v.sin()).sum::<f32>(),
            Err(Problem::Unknown(word)) => block.query.data[0] * word.len() as f32,
            Err(Problem::Shape { op, left }) => (op.len() + left[0]) as f32,
        };
        texts.iter().map(loss).sum()
    }
    let texts = ["The cat sat", "the dog", "sat"].map(String::from);
    testing::check::functional::<f32>(
        &[0.5, 0.2, -0.3, 0.4, 0.1, 0.6, 0.7, 0.3, 0.8, 0.9],
        |x| primal(x, &texts),
        |x, v| forward(x, v, &texts),
        |x, dx, w| reverse(x, dx, &texts, w),
    );
}
