//! Scenes and queues of enums of which some variants own vectors: cloned into vectors, grown, taken apart.

mod planes {
    use crate::functional;

    #[derive(Clone)]
    enum Shape {
        Plane([f64; 3]),
        Group(Vec<Node>),
    }
    #[derive(Clone)]
    struct Node {
        shape: Shape,
        scale: f64,
    }
    impl Node {
        fn light(&self, p: f64) -> f64 {
            match &self.shape {
                Shape::Plane(normal) => self.scale * (normal[1] * p + normal[2]),
                Shape::Group(kids) => kids.iter().map(|k| k.light(p)).sum(),
            }
        }
    }
    functional! {
        fn a_plane_is_repeated(x: &[f64]) -> f64 {
            let floor = Node { shape: Shape::Plane([x[0], x[2], x[1]]), scale: 1.0 };
            let root = Node { shape: Shape::Group(vec![floor; 2]), scale: 1.0 };
            root.light(0.3)
        } at [0.3, -0.7, 1.2];
    }
}

mod meshes {
    use crate::functional;

    #[derive(Clone)]
    enum Shape {
        Plane { normal: [f64; 3], d: f64 },
        Mesh(Vec<f64>),
        Group(Vec<Node>),
    }
    #[derive(Clone)]
    struct Node {
        shape: Shape,
        scale: f64,
    }
    impl Node {
        fn light(&self, p: f64) -> f64 {
            match &self.shape {
                Shape::Plane { normal, d } => self.scale * (normal[1] * p + normal[2] * p - d),
                Shape::Mesh(all) => all.iter().sum(),
                Shape::Group(kids) => kids.iter().map(|k| k.light(p)).sum(),
            }
        }
    }
    functional! {
        fn a_plane_beside_a_mesh_is_cloned(x: &[f64]) -> f64 {
            let floor = Node { shape: Shape::Plane { normal: [x[0], x[2], x[1]], d: 0.1 }, scale: 1.0 };
            let mesh = Node { shape: Shape::Mesh(vec![0.3]), scale: 0.5 };
            let root = Node { shape: Shape::Group(vec![mesh, floor.clone()]), scale: 1.0 };
            root.light(0.3)
        } at [0.3, -0.7, 1.2];
    }
}

mod offsets {
    use crate::functional;

    #[derive(Clone)]
    enum Shape {
        Plane { normal: [f64; 3], d: f64 },
        Mesh(Vec<f64>),
        Group(Vec<Node>),
    }
    #[derive(Clone)]
    struct Node {
        offset: [f64; 3],
        shape: Shape,
        scale: f64,
    }
    impl Node {
        fn light(&self, p: f64) -> f64 {
            match &self.shape {
                Shape::Plane { normal, d } => self.scale * ((self.offset[1] + normal[1]) * p + normal[2] * p - d),
                Shape::Mesh(all) => all.iter().sum(),
                Shape::Group(kids) => kids.iter().map(|k| k.light(p)).sum(),
            }
        }
    }
    functional! {
        fn nodes_with_constants_are_cloned(x: &[f64]) -> f64 {
            let floor = Node { offset: [0.0, 0.1, 0.0], shape: Shape::Plane { normal: [0.0, 1.0, x[1]], d: 0.1 }, scale: 1.0 };
            let mesh = Node { offset: [0.0, 0.1, 0.0], shape: Shape::Mesh(vec![0.3]), scale: 0.5 };
            let root = Node { offset: [0.0, 0.1, 0.0], shape: Shape::Group(vec![mesh, floor.clone()]), scale: 1.0 };
            root.light(0.3)
        } at [0.3, -0.7, 1.2];
    }
}

mod packets {
    use crate::functional;

    enum Packet {
        Data(Vec<f64>),
        Nak(f64),
    }
    functional! {
        fn a_vector_of_one_variant_gets_another(x: &[f64]) -> f64 {
            let mut pending = vec![Packet::Nak(x[0])];
            pending.push(Packet::Data(x.to_vec()));
            let mut total = 0.0;
            for p in pending {
                match p {
                    Packet::Data(payload) => total += payload[1],
                    Packet::Nak(quality) => total += quality,
                }
            }
            total
        } at [0.3, -0.7, 1.2, 0.4];
    }
}

mod queues {
    use crate::functional;
    use std::collections::VecDeque;

    enum Packet {
        Data(Vec<f64>),
        Nak(f64),
    }
    functional! {
        fn a_queue_of_one_variant_gets_another(x: &[f64]) -> f64 {
            let mut pending: VecDeque<Packet> = x.iter().map(|v| Packet::Nak(*v)).collect();
            pending.push_back(Packet::Data(x.to_vec()));
            let mut total = 0.0;
            while let Some(p) = pending.pop_front() {
                total += match p {
                    Packet::Data(payload) => payload.iter().product::<f64>(),
                    Packet::Nak(quality) => quality,
                };
            }
            total
        } at [0.3, -0.7, 1.2, 0.4];
    }
}

mod clones {
    use crate::functional;

    #[expect(dead_code, reason = "variants that are never made are what this is about")]
    #[derive(Clone)]
    enum Shape {
        Plane([f64; 3]),
        Mesh(Vec<f64>),
        Group(Vec<Node>),
    }
    #[derive(Clone)]
    struct Node {
        shape: Shape,
        scale: f64,
    }
    impl Node {
        fn light(&self, p: f64) -> f64 {
            match &self.shape {
                Shape::Plane(normal) => self.scale * (normal[1] * p + normal[2]),
                Shape::Mesh(all) => all.iter().sum(),
                Shape::Group(kids) => kids.iter().map(|k| k.light(p)).sum(),
            }
        }
    }
    functional! {
        fn two_clones_are_looked_at(x: &[f64]) -> f64 {
            let floor = Node { shape: Shape::Plane([x[0], x[2], x[1]]), scale: 1.0 };
            let all = vec![floor; 2];
            all[0].light(0.3) * all[1].light(0.5)
        } at [0.3, -0.7, 1.2];
    }
}
