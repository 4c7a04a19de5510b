//! Graphs of `petgraph`, and the tables they are made of: `hashbrown`, whose hasher reads its keys from a static, and `indexmap`.

use hashbrown::HashMap;
use indexmap::IndexMap;
use petgraph::Direction::Incoming;
use petgraph::algo::dijkstra;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::graphmap::UnGraphMap;
use petgraph::visit::EdgeRef;
use testing::functional;

functional! {
    fn a_table_that_is_filled_changed_and_read(x: &[f64]) -> f64 {
        let mut map: HashMap<u32, f64> = HashMap::new();
        for (i, x) in (0..).zip(x) {
            *map.entry(i % 3).or_insert(1.5) *= x;
        }
        let removed = map.remove(&1).unwrap_or(0.0);
        map.iter().map(|(k, v)| v * f64::from(k + 1)).sum::<f64>() * removed + map[&0]
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn an_ordered_table_that_is_filled_changed_and_read(x: &[f64]) -> f64 {
        let mut map: IndexMap<u32, f64> = IndexMap::new();
        for (i, x) in (0..).zip(x) {
            *map.entry(i * 7 % 4).or_insert(0.5) += x * x;
        }
        let removed = map.swap_remove(&3).unwrap_or(1.0);
        map.values().zip(1..).map(|(v, i)| v * f64::from(i)).sum::<f64>() * removed * map[&0]
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn weights_of_edges_by_their_ends(x: &[f64]) -> f64 {
        let mut graph: UnGraphMap<u32, f64> = UnGraphMap::new();
        for (i, x) in (0..).zip(x) {
            graph.add_edge(i, (i * 3 + 1) % 5, x * x);
        }
        let sum: f64 = graph.all_edges().map(|(a, b, w)| w * f64::from(a + 2 * b)).sum();
        sum * graph.edge_weight(0, 1).copied().unwrap_or(3.0)
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn shortest_ways(x: &[f64]) -> f64 {
        let mut graph = DiGraph::<(), f64>::new();
        let nodes: Vec<NodeIndex> = (0..5).map(|_| graph.add_node(())).collect();
        for (i, x) in x.iter().enumerate() {
            graph.add_edge(nodes[i], nodes[(i + 1) % 5], x * x);
            graph.add_edge(nodes[i], nodes[(i + 2) % 5], x * x + 1.0);
        }
        let lengths = dijkstra(&graph, nodes[0], None, |edge| *edge.weight());
        nodes.iter().zip(1..).map(|(node, i)| lengths[node] * f64::from(i)).sum()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn values_that_flow_through_a_graph(x: &[f64]) -> f64 {
        let mut graph = DiGraph::<f64, f64>::new();
        let nodes: Vec<NodeIndex> = x.iter().map(|x| graph.add_node(*x)).collect();
        for (i, x) in x.iter().enumerate() {
            graph.add_edge(nodes[i], nodes[(i * 3 + 1) % 5], x * x);
        }
        for _ in 0..3 {
            let inflow = |node: &NodeIndex| {
                let edges = graph.edges_directed(*node, Incoming);
                edges.map(|edge| edge.weight() * graph[edge.source()]).sum::<f64>() + 0.1
            };
            let next: Vec<f64> = nodes.iter().map(inflow).collect();
            for (node, value) in nodes.iter().zip(next) {
                graph[*node] = value;
            }
        }
        graph.node_weights().product()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];
}
