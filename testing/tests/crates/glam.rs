//! Vectors and matrices of three and four dimensions; those of `f32` are made of intrinsics.

use crate::functional;
use glam::{DMat3, DMat4, DQuat, DVec3, Mat4, Quat, Vec3, Vec3A, Vec4};

functional! {
    fn products_and_lengths(x: &[f64]) -> f64 {
        let (a, b) = (DVec3::new(x[0], x[1], x[2]), DVec3::new(x[3], x[4], 1.0));
        a.cross(b).length() + a.dot(b) + a.normalize().x
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn inverse_and_determinant(x: &[f64]) -> f64 {
        let columns = [DVec3::new(x[0], 1.0, 2.0), DVec3::new(0.5, x[1], 1.0), DVec3::new(3.0, x[2], x[3])];
        let a = DMat3::from_cols(columns[0], columns[1], columns[2]);
        (a.inverse() * DVec3::ONE).element_sum() + a.determinant()
    } at [0.7, -0.4, 1.3, 0.9];

    fn rotations(x: &[f64]) -> f64 {
        let v = DQuat::from_axis_angle(DVec3::Y, x[0]) * DVec3::new(1.0, x[1], 2.0);
        v.x * v.y + v.z + DMat4::from_rotation_x(x[2]).transform_point3(v).y
    } at [0.7, -0.4, 1.3];

    fn vectors_of_f32(x: &[f32]) -> f32 {
        let (a, w) = (Vec3A::new(x[0], x[1], x[2]), Vec4::new(x[0], x[1], x[2], x[3]));
        a.dot(a) * a.x + w.length() + w.normalize().y + a.cross(Vec3A::new(x[3], 1.0, x[4])).length()
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn rotations_of_f32(x: &[f32]) -> f32 {
        let turned = Mat4::from_rotation_x(x[3]).transform_point3a(Vec3A::new(x[0], x[1], x[2]));
        turned.dot(Vec3A::ONE) + Quat::from_rotation_y(x[4]).mul_vec3(Vec3::new(x[0], x[1], 1.0)).x
    } at [0.7, -0.4, 1.3, 0.9, 2.1];
}
