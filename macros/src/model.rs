//! A checked request: what the expansion needs to know, with nothing left to decide.

use cotangent_contract::{Activity, Kind, Mode};
use proc_macro2::Ident;
use syn::Type;

use crate::item::Function;
use crate::location::Location;

/// A derivative to generate.
pub struct Derivative<'a> {
    /// The function that is differentiated.
    pub function: &'a Function,
    /// Where the attribute stands.
    pub location: &'a Location,
    /// Name of the generated function.
    pub name: Ident,
    /// Direction.
    pub mode: Mode,
    /// Number of tangents in one sweep, 1 in reverse mode.
    pub width: u32,
    /// Parameters in order, `self` included.
    pub params: Vec<Param>,
    /// The return value, where there is one.
    pub ret: Option<Return>,
}

/// A parameter of the function.
pub struct Param {
    /// Its name in the generated function (a fresh one where the user wrote a pattern), `self` for a receiver.
    pub ident: Ident,
    /// Its type as the user wrote it.
    pub ty: Type,
    /// How it travels through thunk and marker.
    pub kind: Kind,
    /// The `T` of `&T` or `&[T]`; the type itself for values.
    pub inner: Type,
    /// Whether it is differentiated.
    pub activity: Activity,
    /// Names of its shadows' parameters: one, or one per tangent, or none where they are no parameters.
    pub shadows: Vec<Ident>,
    /// One shadow slice holds every tangent, lane after lane.
    pub lanes: bool,
    /// Width in bytes of the floats that it consists of, 0 where that cannot be seen.
    pub floats: u8,
}

/// The return value of the function.
pub struct Return {
    /// Its type.
    pub ty: Type,
    /// Whether it is differentiated.
    pub activity: Activity,
    /// Width in bytes of the floats that it consists of, 0 where that cannot be seen.
    pub floats: u8,
}

impl Param {
    /// An active value: its adjoint is returned.
    pub fn returns_adjoint(&self, mode: Mode) -> bool {
        mode == Mode::Reverse && self.kind == Kind::Value && self.activity != Activity::Const
    }

    /// True for `self` in all its forms.
    pub fn is_receiver(&self) -> bool {
        self.ident == "self"
    }
}

impl Derivative<'_> {
    /// The parameters whose adjoints are returned.
    pub fn adjoints(&self) -> impl Iterator<Item = (usize, &Param)> {
        self.params.iter().enumerate().filter(|(_, param)| param.returns_adjoint(self.mode))
    }
}
