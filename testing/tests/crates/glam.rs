//! Vectors and matrices of three and four dimensions; those of `f32` are made of intrinsics.

use crate::functional;
use glam::{Affine3A, DMat3, DMat4, DQuat, DVec3, EulerRot, Mat4, Quat, Vec3, Vec3A, Vec4};

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

    fn signs_and_extremes_of_f32(x: &[f32]) -> f32 {
        let (a, b) = (Vec3A::new(x[0], x[1], x[2]), Vec3A::new(x[3], 0.5, x[4]));
        let v = Vec4::new(x[1], x[3], x[0], -0.3);
        (-a).dot(b) + a.abs().dot(b) + a.signum().dot(b) + a.copysign(b - 1.0).y * x[0] + v.abs().y * v.z
            + a.max(b).dot(a) + a.min(b).length() + a.clamp(Vec3A::splat(-0.2), Vec3A::splat(0.8)).dot(b)
            + a.max_element() * a.min_element() + v.max(Vec4::ZERO).dot(v)
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn choices_of_f32(x: &[f32]) -> f32 {
        let (a, b) = (Vec3A::new(x[0], x[1], x[2]), Vec3A::new(x[3], 0.5, x[4]));
        let v = Vec4::new(x[1], x[3], x[0], -0.3);
        let larger = Vec3A::select(a.cmpgt(b), a, b).dot(b);
        let known = if v.is_nan() || a.cmpeq(b).any() { 0.0 } else { x[0] };
        larger + known * x[1] + Vec4::select(v.cmple(Vec4::ONE), v * v, v).element_sum() + a.angle_between(b)
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn whole_numbers_of_f32(x: &[f32]) -> f32 {
        let a = Vec3A::new(x[0], x[1], x[2]) * 3.2;
        a.round().dot(a) + a.floor().dot(a) + a.ceil().dot(a) + a.trunc().dot(a) + a.fract().dot(a) + a.rem_euclid(Vec3A::ONE).x
    } at [0.7, -0.4, 1.3];

    fn between_rotations_of_f32(x: &[f32]) -> f32 {
        let (q, r) = (Quat::from_rotation_x(x[0]), Quat::from_euler(EulerRot::XYZ, x[1], x[2], x[3]));
        let v = Vec3::new(x[2], 1.0, x[0]);
        (q.slerp(r, 0.3) * v).x + (q.lerp(r, 0.6) * v).y + ((-q).slerp(r, 0.7).conjugate() * v).z + q.inverse().dot(r)
    } at [0.7, -0.4, 1.3, 0.9];

    fn inverse_of_an_affine_map_of_f32(x: &[f32]) -> f32 {
        let map = Affine3A::from_rotation_translation(Quat::from_rotation_y(x[0]), Vec3::new(x[1], x[2], 1.0));
        let back = map.inverse().transform_point3a(Vec3A::new(x[2], 2.0, x[0]));
        let (scale, _, shift) = Mat4::from(map * Affine3A::from_scale(Vec3::splat(x[1]))).to_scale_rotation_translation();
        back.dot(Vec3A::ONE) + scale.x * shift.y
    } at [0.7, 0.4, 1.3];
}
