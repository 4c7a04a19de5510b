//! Attributes of functions, parameters, results and calls.
use crate::{Function, Type, Value, c_string};
use llvm_sys::core::*;

/// What an attribute is attached to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The result.
    Result,
    /// A parameter or argument.
    Param(u32),
    /// The function or call as a whole.
    Whole,
}

impl Place {
    fn index(self) -> u32 {
        match self {
            Place::Result => 0,
            Place::Param(i) => i + 1,
            Place::Whole => u32::MAX,
        }
    }
}

fn kind_of(name: &str) -> u32 {
    // SAFETY: reads the name only.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

// SAFETY (whole file): live handles; unknown attribute names give kind 0, which is never passed on.
impl Function {
    /// Adds an attribute by its IR name, with an integer value (0 for flags).
    pub fn add_attribute(self, place: Place, name: &str, value: u64) {
        let kind = kind_of(name);
        if kind != 0 {
            let context = self.value().context();
            unsafe { LLVMAddAttributeAtIndex(self.0, place.index(), LLVMCreateEnumAttribute(context.0, kind, value)) }
        }
    }
    /// Adds an attribute that carries a type (`sret`).
    pub fn add_type_attribute(self, place: Place, name: &str, ty: Type) {
        let kind = kind_of(name);
        if kind != 0 {
            let context = self.value().context();
            unsafe { LLVMAddAttributeAtIndex(self.0, place.index(), LLVMCreateTypeAttribute(context.0, kind, ty.0)) }
        }
    }
    /// Adds a string attribute.
    pub fn add_string_attribute(self, name: &str, value: &str) {
        self.add_string_attribute_at(Place::Whole, name, value);
    }
    /// The same of a parameter or the result.
    pub fn add_string_attribute_at(self, place: Place, name: &str, value: &str) {
        let context = self.value().context();
        let (key, text) = (c_string(name), c_string(value));
        unsafe {
            let attribute = LLVMCreateStringAttribute(
                context.0,
                key.as_ptr(),
                key.as_bytes().len() as u32,
                text.as_ptr(),
                text.as_bytes().len() as u32,
            );
            LLVMAddAttributeAtIndex(self.0, place.index(), attribute);
        }
    }
    /// The value of a string attribute.
    pub fn string_attribute_at(self, place: Place, name: &str) -> Option<String> {
        unsafe {
            let attribute =
                LLVMGetStringAttributeAtIndex(self.0, place.index(), name.as_ptr().cast(), name.len() as u32);
            if attribute.is_null() {
                return None;
            }
            let mut length = 0;
            let text = LLVMGetStringAttributeValue(attribute, &mut length);
            Some(crate::borrowed_text(text, length as usize))
        }
    }
    /// True where the attribute is there.
    pub fn has_attribute(self, place: Place, name: &str) -> bool {
        let kind = kind_of(name);
        kind != 0 && !unsafe { LLVMGetEnumAttributeAtIndex(self.0, place.index(), kind) }.is_null()
    }
    /// Value of an integer attribute.
    pub fn attribute_value(self, place: Place, name: &str) -> Option<u64> {
        let kind = kind_of(name);
        let attribute = unsafe { LLVMGetEnumAttributeAtIndex(self.0, place.index(), kind) };
        (kind != 0 && !attribute.is_null()).then(|| unsafe { LLVMGetEnumAttributeValue(attribute) })
    }
    /// Removes an attribute.
    pub fn remove_attribute(self, place: Place, name: &str) {
        let kind = kind_of(name);
        if kind != 0 {
            unsafe { LLVMRemoveEnumAttributeAtIndex(self.0, place.index(), kind) }
        }
    }
    /// Removes a string attribute of the whole function.
    pub fn remove_string_attribute(self, name: &str) {
        unsafe { LLVMRemoveStringAttributeAtIndex(self.0, u32::MAX, name.as_ptr().cast(), name.len() as u32) }
    }
    /// Copies all attributes at a place from another function.
    pub fn copy_attributes(self, from: Function, source: Place, target: Place) {
        unsafe {
            let count = LLVMGetAttributeCountAtIndex(from.0, source.index());
            let mut all = vec![std::ptr::null_mut(); count as usize];
            LLVMGetAttributesAtIndex(from.0, source.index(), all.as_mut_ptr());
            for attribute in all {
                LLVMAddAttributeAtIndex(self.0, target.index(), attribute);
            }
        }
    }
}

impl Value {
    /// Copies all attributes of another call of the same type.
    pub fn copy_call_attributes(self, from: Value) {
        let params = (0..unsafe { LLVMGetNumArgOperands(from.0) }).map(Place::Param);
        [Place::Whole, Place::Result].into_iter().chain(params).for_each(|p| self.copy_call_attributes_at(from, p, p));
    }
    /// Copies all attributes at a place from another call.
    pub fn copy_call_attributes_at(self, from: Value, source: Place, target: Place) {
        unsafe {
            let count = LLVMGetCallSiteAttributeCount(from.0, source.index());
            let mut all = vec![std::ptr::null_mut(); count as usize];
            LLVMGetCallSiteAttributes(from.0, source.index(), all.as_mut_ptr());
            for attribute in all {
                LLVMAddCallSiteAttribute(self.0, target.index(), attribute);
            }
        }
    }
    /// Adds an attribute to a call.
    pub fn add_call_attribute(self, place: Place, name: &str, value: u64) {
        let kind = kind_of(name);
        if kind != 0 {
            let context = self.context();
            unsafe { LLVMAddCallSiteAttribute(self.0, place.index(), LLVMCreateEnumAttribute(context.0, kind, value)) }
        }
    }
    /// True where a call has the attribute.
    pub fn has_call_attribute(self, place: Place, name: &str) -> bool {
        let kind = kind_of(name);
        kind != 0 && !unsafe { LLVMGetCallSiteEnumAttribute(self.0, place.index(), kind) }.is_null()
    }
    /// Value of a call's integer attribute.
    pub fn call_attribute_value(self, place: Place, name: &str) -> Option<u64> {
        let kind = kind_of(name);
        let attribute = unsafe { LLVMGetCallSiteEnumAttribute(self.0, place.index(), kind) };
        (kind != 0 && !attribute.is_null()).then(|| unsafe { LLVMGetEnumAttributeValue(attribute) })
    }
    /// The type that an attribute of a call carries.
    pub fn call_attribute_type(self, place: Place, name: &str) -> Option<Type> {
        let kind = kind_of(name);
        let attribute = unsafe { LLVMGetCallSiteEnumAttribute(self.0, place.index(), kind) };
        (kind != 0 && !attribute.is_null()).then(|| unsafe { Type(LLVMGetTypeAttributeValue(attribute)) })
    }
    /// Removes an attribute from a call.
    pub fn remove_call_attribute(self, place: Place, name: &str) {
        let kind = kind_of(name);
        if kind != 0 {
            unsafe { LLVMRemoveCallSiteEnumAttribute(self.0, place.index(), kind) }
        }
    }
    /// Adds a type attribute to a call.
    pub fn add_call_type_attribute(self, place: Place, name: &str, ty: Type) {
        let kind = kind_of(name);
        if kind != 0 {
            let context = ty.context();
            unsafe { LLVMAddCallSiteAttribute(self.0, place.index(), LLVMCreateTypeAttribute(context.0, kind, ty.0)) }
        }
    }
}
