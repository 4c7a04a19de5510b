//! Which columns may share a sweep.
//!
//! Both colourings are greedy, in the order of falling degree; "What color is your Jacobian? Graph coloring for computing derivatives"
//! (Gebremedhin, Manne, Pothen, SIAM Review 47, 2005) has the theory, and "New acyclic and star coloring algorithms with application to computing
//! Hessians" (Gebremedhin, Tarafdar, Manne, Pothen, SIAM J. Sci. Comput. 29, 2007) the way in which stars are followed here.

use super::Pattern;

/// A colour for each column (or row, or variable), from zero on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Colours {
    pub(super) of: Vec<usize>,
    pub(super) count: usize,
}

/// No colour yet, no vertex, no star.
const NONE: usize = usize::MAX;

/// Colours that the vertex at hand cannot have.
struct Forbidden {
    /// The vertex for which a colour was last refused.
    by: Vec<usize>,
}

impl Forbidden {
    fn add(&mut self, colour: usize, vertex: usize) {
        self.by[colour] = vertex;
    }

    /// The least colour left; `count` grows where it is a new one.
    fn least(&mut self, vertex: usize, count: &mut usize) -> usize {
        let free = (0..*count).find(|colour| self.by[*colour] != vertex);
        free.unwrap_or_else(|| {
            self.by.push(NONE);
            *count += 1;
            *count - 1
        })
    }
}

/// Vertices in the order in which they are coloured: large degrees first, and among equals the first first.
fn by_degree(pattern: &Pattern) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pattern.rows()).collect();
    order.sort_by_key(|vertex| std::cmp::Reverse(pattern.row(*vertex).len()));
    order
}

/// Colours the columns so that no two of one colour have a row in common. `transposed` is the pattern's transpose.
pub(super) fn columns(pattern: &Pattern, transposed: &Pattern) -> Colours {
    let mut colours = Colours { of: vec![NONE; pattern.cols()], count: 0 };
    let mut forbidden = Forbidden { by: Vec::new() };
    for col in by_degree(transposed) {
        for row in transposed.row(col) {
            for other in pattern.row(*row) {
                let colour = colours.of[*other];
                if colour != NONE {
                    forbidden.add(colour, col);
                }
            }
        }
        colours.of[col] = forbidden.least(col, &mut colours.count);
    }
    colours
}

/// Colours the variables of a symmetric pattern so that neighbours differ and each path of four has three colours (a *star colouring*: what two
/// colours have in common are stars). Of each entry, one of its two places is then the only one of its colour in its row.
///
/// Each edge between coloured vertices belongs to a star; a star of more than one edge has a hub, the vertex in which they meet.
pub(super) fn star(pattern: &Pattern) -> Colours {
    let n = pattern.rows();
    let mut colours = Colours { of: vec![NONE; n], count: 0 };
    let mut forbidden = Forbidden { by: Vec::new() };
    // For each colour: the vertex that looked last, and the neighbour of this colour that it saw first.
    let mut first: Vec<(usize, usize)> = Vec::new();
    // The star of each edge, at both of its places in the pattern, and the hub of each star.
    let mut star_at = vec![NONE; pattern.nnz()];
    let mut hub = Vec::new();
    let mut treated = vec![NONE; n];
    let neighbours = |vertex: usize| {
        let begin = pattern.row_ptr()[vertex];
        let all = pattern.row(vertex).iter().enumerate();
        all.map(move |(at, other)| (begin + at, *other)).filter(move |(_, other)| *other != vertex)
    };
    for vertex in by_degree(pattern) {
        for (_, near) in neighbours(vertex) {
            let colour = colours.of[near];
            if colour == NONE {
                continue;
            }
            forbidden.add(colour, vertex);
            if first[colour].0 == vertex {
                // Two neighbours of one colour: the vertex is a hub, and its colour must be no other's beside them.
                for end in [first[colour].1, near] {
                    if std::mem::replace(&mut treated[end], vertex) != vertex {
                        let beyond = neighbours(end).map(|(_, far)| colours.of[far]).filter(|colour| *colour != NONE);
                        beyond.for_each(|colour| forbidden.add(colour, vertex));
                    }
                }
            } else {
                first[colour] = (vertex, near);
                for (edge, far) in neighbours(near) {
                    // As a further leaf of a star whose hub is `far`, the path would get its fourth vertex.
                    let is_hub = far != vertex && colours.of[far] != NONE && hub[star_at[edge]] == far;
                    if is_hub {
                        forbidden.add(colours.of[far], vertex);
                    }
                }
            }
        }
        let colour = forbidden.least(vertex, &mut colours.count);
        colours.of[vertex] = colour;
        first.resize(colours.count, (NONE, NONE));
        for (edge, near) in neighbours(vertex).filter(|(_, near)| colours.of[*near] != NONE) {
            let mirrored = |from: usize, to: usize| {
                let at = pattern.row(from).binary_search(&to);
                pattern.row_ptr()[from] + at.expect("a symmetric pattern has each edge from both ends")
            };
            let twin = neighbours(near).find(|(_, far)| *far != vertex && colours.of[*far] == colour);
            let (seen_by, other) = first[colours.of[near]];
            let star = match twin {
                Some((edge, _)) => {
                    hub[star_at[edge]] = near;
                    star_at[edge]
                }
                None if seen_by == vertex && other != near => {
                    let star = star_at[mirrored(vertex, other)];
                    hub[star] = vertex;
                    star
                }
                None => {
                    hub.push(NONE);
                    hub.len() - 1
                }
            };
            star_at[edge] = star;
            star_at[mirrored(near, vertex)] = star;
        }
    }
    colours
}

#[cfg(test)]
mod tests {
    use super::{Colours, columns, star};
    use crate::sparse::Pattern;

    fn symmetric(n: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Pattern {
        let both = edges.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
        Pattern::from_entries(n, n, both.chain((0..n).map(|i| (i, i))))
    }

    /// Edges that look like chance.
    fn random(n: usize, count: usize, mut state: u64) -> Vec<(usize, usize)> {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        (0..count).map(|_| (next(), next())).collect()
    }

    fn column_colours(pattern: &Pattern) -> Colours {
        let colours = columns(pattern, &pattern.transposed());
        for row in 0..pattern.rows() {
            let mut used: Vec<usize> = pattern.row(row).iter().map(|col| colours.of[*col]).collect();
            used.sort_unstable();
            used.dedup();
            assert_eq!(used.len(), pattern.row(row).len(), "row {row} of {pattern:?} has a colour twice: {colours:?}");
        }
        assert!(colours.of.iter().all(|colour| *colour < colours.count));
        colours
    }

    fn star_colours(pattern: &Pattern) -> Colours {
        let colours = star(pattern);
        let of = &colours.of;
        for (a, b) in pattern.entries().filter(|(a, b)| a != b) {
            assert_ne!(of[a], of[b], "neighbours {a}, {b} of {pattern:?}: {colours:?}");
            for c in pattern.row(b).iter().copied().filter(|c| ![a, b].contains(c)) {
                for d in pattern.row(c).iter().copied().filter(|d| ![a, b, c].contains(d)) {
                    assert!(of[a] != of[c] || of[b] != of[d], "{a} {b} {c} {d} of {pattern:?}: {colours:?}");
                }
            }
        }
        colours
    }

    #[test]
    fn a_band_needs_as_many_colours_as_it_is_wide() {
        for n in [1, 2, 7, 50] {
            for (below, above) in [(0, 0), (1, 1), (0, 3), (2, 2)] {
                let pattern = Pattern::banded(n, n, below, above);
                assert_eq!(column_colours(&pattern).count, n.min(below + above + 1), "{n} {below} {above}");
            }
        }
    }

    #[test]
    fn columns_of_random_patterns_have_no_row_in_common() {
        for seed in 0..40 {
            let n = 5 + seed as usize;
            column_colours(&Pattern::from_entries(n, n, random(n, 3 * n, seed)));
        }
    }

    #[test]
    fn star_colourings_need_few_colours_where_few_suffice() {
        let path = |n: usize| symmetric(n, (1..n).map(|i| (i - 1, i)));
        assert_eq!(star_colours(&path(2)).count, 2);
        assert_eq!(star_colours(&path(60)).count, 3);
        // A hub that all others see, first and last.
        for hub in [0, 29] {
            let leaves = (0..30).filter(|leaf| *leaf != hub);
            assert_eq!(star_colours(&symmetric(30, leaves.map(|leaf| (hub, leaf)))).count, 2);
        }
        assert_eq!(star_colours(&symmetric(5, [])).count, 1);
        assert_eq!(star_colours(&Pattern::dense(6, 6)).count, 6);
    }

    #[test]
    fn star_colourings_of_random_patterns_have_no_path_of_two_colours() {
        for seed in 0..120 {
            let n = 4 + seed as usize % 40;
            let density = 1 + seed as usize % 4;
            star_colours(&symmetric(n, random(n, density * n, seed)));
        }
    }

    #[test]
    fn a_grid_needs_few_colours() {
        let side = 12;
        let place = |i: usize, j: usize| i * side + j;
        let across = (0..side).flat_map(|i| (1..side).map(move |j| (place(i, j - 1), place(i, j))));
        let down = (1..side).flat_map(|i| (0..side).map(move |j| (place(i - 1, j), place(i, j))));
        let pattern = symmetric(side * side, across.chain(down));
        assert!(star_colours(&pattern).count < column_colours(&pattern).count);
    }
}
