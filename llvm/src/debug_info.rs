//! Types of source code, as debug information has them.
use crate::{Context, Function, Value, borrowed_text};
use llvm_sys::LLVMDbgRecordKind;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::fmt;

/// A node of debug information: a type, a member of one, a subprogram.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Node {
    metadata: LLVMMetadataRef,
    context: LLVMContextRef,
}

/// What a type, or a part of one, is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// A number, a flag, a character.
    Base,
    /// An enumeration without fields.
    Enumeration,
    /// A pointer or reference, also to a function.
    Pointer,
    /// A struct or tuple; the enum around its variants.
    Struct,
    /// A union.
    Union,
    /// An array.
    Array,
    /// The variants of an enum.
    Variants,
    /// A field, or a variant among variants.
    Member,
    /// Another name of a type.
    Alias,
    /// A function.
    Subprogram,
    /// Anything else.
    Other,
}

/// Where nodes have what is asked of them, among their operands: of types, of variables, of subprograms and their types.
const SCOPE: u32 = 1;
const NAME: u32 = 2;
const BASE: u32 = 5;
const ELEMENTS: u32 = 6;
const EXTRA: u32 = 6;
const TYPE_PARAMETERS: u32 = 8;
const TYPE_OF_PARAMETER: u32 = 1;
const DISCRIMINATOR: u32 = 10;
const TYPE_OF_VARIABLE: u32 = 3;
const TYPE_OF_SUBPROGRAM: u32 = 4;
const TYPES: u32 = 5;
const COUNT: u32 = 0;
/// No path of a type is longer.
const LONGEST_PATH: usize = 4096;

// SAFETY (of this file): nodes are live, since contexts are never disposed of; what is defined for types alone is asked of types alone.
impl Node {
    fn value(self) -> Value {
        Value(unsafe { LLVMMetadataAsValue(self.context, self.metadata) })
    }

    /// An operand, whatever it is.
    fn operand(self, index: u32) -> Option<Value> {
        let node = self.value();
        unsafe {
            let mut operands = vec![std::ptr::null_mut(); self.operands() as usize];
            LLVMGetMDNodeOperands(node.0, operands.as_mut_ptr());
            operands.get(index as usize).copied().filter(|o| !o.is_null()).map(Value)
        }
    }

    /// How many operands it has.
    fn operands(self) -> u32 {
        unsafe { LLVMGetMDNodeNumOperands(self.value().0) }
    }

    fn node(self, index: u32) -> Option<Node> {
        self.operand(index).and_then(|value| self.of_operand(value))
    }

    fn of_operand(self, operand: Value) -> Option<Node> {
        operand
            .is_metadata()
            .then(|| Node { metadata: unsafe { LLVMValueAsMetadata(operand.0) }, context: self.context })
    }

    /// What it is.
    pub fn kind(self) -> NodeKind {
        match unsafe { LLVMGetDINodeTag(self.metadata) } {
            0x24 => NodeKind::Base,
            0x04 => NodeKind::Enumeration,
            0x0f | 0x10 => NodeKind::Pointer,
            0x13 => NodeKind::Struct,
            0x17 => NodeKind::Union,
            0x01 => NodeKind::Array,
            0x33 => NodeKind::Variants,
            0x0d => NodeKind::Member,
            0x16 => NodeKind::Alias,
            0x2e => NodeKind::Subprogram,
            _ => NodeKind::Other,
        }
    }

    /// The name of a type or function, with its type arguments.
    pub fn name(self) -> String {
        let mut length = 0;
        let text = self.operand(NAME).map_or(std::ptr::null(), |name| unsafe { LLVMGetMDString(name.0, &mut length) });
        borrowed_text(text, length as usize)
    }

    /// The path of a type: its name behind those of the modules that it is in.
    pub fn path(self) -> String {
        let (mut path, mut at) = (self.name(), self.node(SCOPE));
        while let Some(scope) = at.filter(|_| path.len() < LONGEST_PATH) {
            path = format!("{}::{path}", scope.name());
            at = scope.node(SCOPE);
        }
        path
    }

    /// Size of a type in bytes.
    pub fn size(self) -> u64 {
        unsafe { LLVMDITypeGetSizeInBits(self.metadata) / 8 }
    }

    /// Where a member begins, in bytes.
    pub fn offset(self) -> u64 {
        unsafe { LLVMDITypeGetOffsetInBits(self.metadata) / 8 }
    }

    /// The type of a member, of an array's elements, of what a pointer leads to.
    pub fn base(self) -> Option<Node> {
        self.node(BASE)
    }

    /// Members of a struct, union or enum.
    pub fn elements(self) -> Vec<Node> {
        let list = self.node(ELEMENTS).map_or_else(Vec::new, |list| list.value().metadata_operands());
        list.into_iter().filter_map(|element| self.of_operand(element)).collect()
    }

    /// What a generic type was given as its type parameters.
    pub fn type_arguments(self) -> Vec<Node> {
        let list = self.node(TYPE_PARAMETERS).map_or_else(Vec::new, |list| list.value().metadata_operands());
        let parameters = list.into_iter().filter_map(|parameter| self.of_operand(parameter));
        parameters.filter_map(|parameter| parameter.node(TYPE_OF_PARAMETER)).collect()
    }

    /// What the address of a thing of a type is a multiple of, in bytes; none where that is not said, as of numbers.
    pub fn alignment(self) -> Option<u64> {
        Some(u64::from(unsafe { LLVMDITypeGetAlignInBits(self.metadata) } / 8)).filter(|bytes| *bytes > 0)
    }

    /// The member that tells variants apart.
    pub fn discriminator(self) -> Option<Node> {
        self.node(DISCRIMINATOR)
    }

    /// The number that tells a variant among variants, if one does.
    pub fn variant(self) -> Option<u64> {
        self.operand(EXTRA).and_then(Value::as_u64)
    }

    /// Whether it is what one variant of an enum has: a struct that is declared within another type.
    pub fn is_variant(self) -> bool {
        self.kind() == NodeKind::Struct && self.node(SCOPE).is_some_and(|scope| scope.kind() == NodeKind::Struct)
    }

    /// The types of the result and the parameters of a function, as the compiler saw them. A result that is nothing has no type.
    pub fn signature(self) -> Vec<Option<Node>> {
        let types = self.node(TYPE_OF_SUBPROGRAM).and_then(|ty| ty.node(TYPES));
        types.map_or_else(Vec::new, |types| (0..types.operands()).map(|index| types.node(index)).collect())
    }

    /// How many elements an array has, where it has one dimension.
    pub fn count(self) -> Option<u64> {
        let [range] = self.elements()[..] else { return None };
        range.operand(COUNT).and_then(Value::as_u64)
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.kind(), self.name())
    }
}

/// A variable of the source that lies in memory.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Where it lies.
    pub address: Value,
    /// Its type.
    pub ty: Node,
    /// It is a parameter of the function itself, and none of one that was inlined.
    pub is_parameter: bool,
}

impl Function {
    /// The variables of which debug information says that they lie somewhere as a whole.
    pub fn variables(self) -> Vec<Variable> {
        let mut found = Vec::new();
        if !self.has_subprogram() {
            return found;
        }
        let context = self.value().context();
        let plain = plain_expression(self);
        for instruction in self.blocks().into_iter().flat_map(|b| b.instructions()) {
            let mut record = unsafe { LLVMGetFirstDbgRecord(instruction.0) };
            while !record.is_null() {
                found.extend(unsafe { declared(record, context, plain) });
                record = unsafe { LLVMGetNextDbgRecord(record) };
            }
        }
        found
    }

    /// The type of the result in the source; none where that is not known, or there is none.
    pub fn source_result(self) -> Option<Node> {
        self.source_types()?.first().copied().flatten()
    }

    /// The types of the result and the parameters in the source, as the compiler saw them; none where the function has no debug information. A result that is
    /// nothing has no type.
    pub fn source_types(self) -> Option<Vec<Option<Node>>> {
        let metadata = unsafe { LLVMGetSubprogram(self.0) };
        if metadata.is_null() {
            return None;
        }
        Some(Node { metadata, context: self.value().context().0 }.signature())
    }
}

impl Value {
    /// The functions that an instruction was written in, from the one that was inlined last outwards.
    pub fn written_in(self) -> Vec<Node> {
        let mut found = Vec::new();
        if !self.is_instruction() {
            return found;
        }
        let context = self.context().0;
        let is_function = |node: &Node| node.kind() == NodeKind::Subprogram;
        // SAFETY: the instruction is live; a location that is there has a scope.
        unsafe {
            let mut location = LLVMInstructionGetDebugLoc(self.0);
            while !location.is_null() {
                let innermost = Node { metadata: LLVMDILocationGetScope(location), context };
                let mut scopes = std::iter::successors(Some(innermost), |scope| scope.node(SCOPE));
                found.extend(scopes.find(is_function));
                location = LLVMDILocationGetInlinedAt(location);
            }
        }
        found
    }
}

/// The expression of a variable that lies where it is said to, as a whole.
fn plain_expression(function: Function) -> LLVMMetadataRef {
    unsafe {
        let builder = LLVMCreateDIBuilderDisallowUnresolved(LLVMGetGlobalParent(function.0));
        let expression = LLVMDIBuilderCreateExpression(builder, std::ptr::null_mut(), 0);
        LLVMDisposeDIBuilder(builder);
        expression
    }
}

/// Whether a variable has a number among the parameters; only its text tells.
fn is_argument(variable: Node) -> bool {
    let text = variable.value().to_string();
    let behind_name = text.split_once("DILocalVariable(name: \"").and_then(|(_, rest)| rest.split_once('"'));
    behind_name.is_some_and(|(_, rest)| rest.starts_with(", arg: "))
}

unsafe fn declared(record: LLVMDbgRecordRef, context: Context, plain: LLVMMetadataRef) -> Option<Variable> {
    unsafe {
        let is_declared = matches!(LLVMDbgRecordGetKind(record), LLVMDbgRecordKind::LLVMDbgRecordDeclare);
        if !is_declared || LLVMDbgVariableRecordGetExpression(record) != plain {
            return None;
        }
        let address = LLVMDbgVariableRecordGetValue(record, 0);
        let variable = Node { metadata: LLVMDbgVariableRecordGetVariable(record), context: context.0 };
        if address.is_null() {
            return None;
        }
        let location = LLVMDbgRecordGetDebugLoc(record);
        let is_own = !location.is_null() && LLVMDILocationGetInlinedAt(location).is_null();
        let is_parameter = is_own && is_argument(variable);
        Some(Variable { address: Value(address), ty: variable.node(TYPE_OF_VARIABLE)?, is_parameter })
    }
}
