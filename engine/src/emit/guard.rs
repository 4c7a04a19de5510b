//! Strong zeros that are differentiated again.
//!
//! A contribution is guarded where its factor may be the zero of an arm that was not taken ([`crate::plan::masked`]): `a == 0 ? 0 : a * p`.
//! The derivative of that as it stands is zero where `a` is zero *by chance*, and the derivative of `a`, times `p`, would be lost. So
//! in a derivative that is differentiated again a guard is a call of a function that nobody knows, `ct.guard(a, a * p)`, and its
//! derivative is that of the product, guarded by both `a` and the derivative of `a`. When nothing is differentiated any more the calls become selections
//! ([`lower`]).
use super::aggregate;
use crate::ir::GUARD;
use crate::llvm::{Builder, Module, Place, RealPredicate, Value};

/// `value`, but zero where `factor` is zero; `again` where the result is differentiated again.
pub fn unless_zero(builder: &Builder, factor: Value, value: Value, again: bool) -> Value {
    if !again {
        return aggregate::unless_zero(builder, factor, value);
    }
    let (module, ty) = (builder.block().function().module(), value.ty());
    let name = format!("{GUARD}{}.{ty}", factor.ty());
    let function = module.function(&name).unwrap_or_else(|| {
        let function = module.declare(&name, ty.function(&[factor.ty(), ty]));
        for attribute in ["memory", "nounwind", "willreturn", "nosync", "nofree", "speculatable"] {
            function.add_attribute(Place::Whole, attribute, 0);
        }
        function
    });
    builder.call(function, &[factor, value])
}

/// The tangent of a guard: `tangent`, that of the guarded value, but zero where the factor and its tangent both are.
pub fn tangent(builder: &Builder, factor: Value, factors: Option<Value>, tangent: Value, again: bool) -> Value {
    let absent = match factors {
        Some(factors) => unless_zero(builder, factors, tangent, again),
        None => tangent.ty().zero(),
    };
    let is_zero = builder.fcmp(RealPredicate::LLVMRealOEQ, factor, factor.ty().zero());
    builder.select(is_zero, absent, tangent)
}

/// Turns every guard of a module into a selection.
pub fn lower(module: Module) {
    for function in module.functions().into_iter().filter(|f| f.name().starts_with(GUARD)) {
        for call in function.value().users() {
            let builder = Builder::before(call);
            builder.set_location_of(Some(call));
            let arguments = call.arguments();
            call.replace_all_uses_with(aggregate::unless_zero(&builder, arguments[0], arguments[1]));
            call.erase();
        }
        function.erase();
    }
}
