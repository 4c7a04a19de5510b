//! The body of the generated function: checks, storage, the marker call, the returned value.

use cotangent_contract::{self as contract, Activity, Kind, Mode};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use super::signature;
use super::thunk::{self, local};
use crate::model::{Derivative, Param, Return};
use crate::types::{self, Floats};

/// The statements of the body.
pub fn of(derivative: &Derivative) -> TokenStream {
    let mut checks = TokenStream::new();
    let mut storage = TokenStream::new();
    let mut operands = Vec::new();
    for (index, param) in derivative.params.iter().enumerate() {
        checks.extend(check(derivative, index, param));
        storage.extend(store(derivative, index, param));
        operands.extend(operands_of(derivative, index, param));
    }
    if let Some(ret) = &derivative.ret {
        if ret.activity != Activity::Const {
            checks.extend(assert_floats(derivative, &ret.ty));
        }
        storage.extend(store_return(derivative, ret));
        operands.extend(operands_of_return(derivative, ret));
    }
    let marker = match derivative.mode {
        Mode::Forward => quote!(::cotangent::__private::__ct_forward),
        Mode::Reverse => quote!(::cotangent::__private::__ct_reverse),
    };
    let thunk = thunk::of(derivative);
    let mut text = request(derivative).to_string().into_bytes();
    text.push(0);
    let text = Literal::byte_string(&text);
    let result = result(derivative);
    quote! {
        #checks
        #storage
        unsafe {
            #marker(#thunk, #text as *const u8, #(#operands),*);
            #result
        }
    }
}

/// The text that travels with the marker.
fn request(derivative: &Derivative) -> contract::Request {
    let mut params: Vec<contract::Param> = derivative
        .params
        .iter()
        .map(|param| contract::Param { kind: param.kind, activity: param.activity, floats: param.floats })
        .collect();
    if let Some(ret) = &derivative.ret {
        params.push(contract::Param { kind: Kind::Return, activity: ret.activity, floats: ret.floats });
    }
    contract::Request {
        mode: derivative.mode,
        width: derivative.width,
        name: derivative.function.sig.ident.to_string(),
        file: derivative.location.file.clone(),
        line: derivative.location.line,
        column: derivative.location.column,
        params,
    }
}

/// Lengths of shadow slices, and types of differentiated values.
fn check(derivative: &Derivative, index: usize, param: &Param) -> TokenStream {
    if param.activity == Activity::Const {
        return match param.kind {
            Kind::Slice | Kind::MutSlice => length(index, param),
            Kind::Ref | Kind::Mut => assert_thin(param),
            Kind::Value | Kind::Return => TokenStream::new(),
        };
    }
    match param.kind {
        Kind::Value => assert_floats(derivative, &param.inner),
        Kind::Slice | Kind::MutSlice => {
            let mut tokens = length(index, param);
            let name = param.ident.to_string();
            let len = local("len", index);
            let width = Literal::u32_unsuffixed(derivative.width);
            let expected = if param.lanes { quote!(#width * #len) } else { quote!(#len) };
            for shadow in &param.shadows {
                tokens.extend(quote!(::cotangent::__private::check_length(#name, #expected, #shadow.len());));
            }
            if !param.lanes {
                tokens.extend(structures(derivative, param));
            }
            tokens
        }
        Kind::Ref | Kind::Mut => {
            let mut tokens = assert_thin(param);
            tokens.extend(structures(derivative, param));
            tokens
        }
        Kind::Return => TokenStream::new(),
    }
}

/// Compares what a reference refers to with its shadow, where that may hold slices, vectors and enums of its own.
fn structures(derivative: &Derivative, param: &Param) -> TokenStream {
    if matches!(types::floats(&param.inner), Floats::Yes) {
        return TokenStream::new();
    }
    let (ident, name, shadows) = (&param.ident, param.ident.to_string(), &param.shadows);
    let written = derivative.mode == Mode::Reverse;
    quote! {
        #({
            use ::cotangent::__private::{ShadowByBound as _, ShadowOfElements as _, ShadowOfVariant as _, ShadowUnknown as _};
            (&&&&::cotangent::__private::ShadowProbe(&*#ident, &*#shadows))
                .check(&::cotangent::__private::Argument::new(#name, #written).place());
        })*
    }
}

fn length(index: usize, param: &Param) -> TokenStream {
    let (len, ident) = (local("len", index), &param.ident);
    quote!(let #len = #ident.len();)
}

/// Makes the compiler refuse a reference to a slice or object by another name, at the place where the type is written. (The compiler cannot know that `Self` of a
/// trait is none.)
fn assert_thin(param: &Param) -> TokenStream {
    let inner = &param.inner;
    match types::is_self_type(inner) {
        true => TokenStream::new(),
        false => quote_spanned!(inner.span()=> ::cotangent::__private::assert_thin::<#inner>();),
    }
}

/// Makes the compiler refuse a type that cannot be plain float data, at the place where the type is written.
pub fn assert_floats(derivative: &Derivative, ty: &Type) -> TokenStream {
    if !matches!(types::floats(ty), Floats::Named) {
        return TokenStream::new();
    }
    let function = derivative.function;
    if function.is_method() || types::is_generic(ty, &function.sig.generics) {
        return quote_spanned!(ty.span()=> ::cotangent::__private::assert_float_data::<#ty>(););
    }
    // An item is evaluated by `cargo check` too, but cannot depend on generics.
    quote_spanned! {ty.span()=>
        const _: () = if let ::core::option::Option::Some(fault) = ::cotangent::__private::float_data_fault::<#ty>() {
            ::core::panic!("{}", fault)
        };
    }
}

/// Memory for what is passed by value, and its shadows.
fn store(derivative: &Derivative, index: usize, param: &Param) -> TokenStream {
    if keeps(param) {
        return keep(derivative, index, param);
    }
    if param.lanes {
        // One borrow for all lanes: a second one would end the first.
        let (base, shadow) = (lane_local(index, 0), &param.shadows[0]);
        let start = if is_mutable(derivative, param) { quote!(as_mut_ptr) } else { quote!(as_ptr) };
        return quote!(let #base = #shadow.#start(););
    }
    if param.kind != Kind::Value {
        return TokenStream::new();
    }
    let (ident, primal) = (&param.ident, local("primal", index));
    let mut tokens = quote!(let mut #primal = ::core::mem::ManuallyDrop::new(#ident););
    if param.returns_adjoint(derivative.mode) {
        let (shadow, ty) = (local("shadow", index), &param.inner);
        tokens.extend(quote!(let mut #shadow = ::core::mem::MaybeUninit::<#ty>::zeroed();));
    }
    for (lane, shadow) in param.shadows.iter().enumerate() {
        let place = lane_local(index, lane);
        tokens.extend(quote!(let mut #place = #shadow;));
    }
    tokens
}

/// Whether a parameter's shadows may hold data that the function changes.
fn keeps(param: &Param) -> bool {
    param.activity != Activity::Const
        && param.kind != Kind::Value
        && !matches!(types::floats(&param.inner), Floats::Yes)
}

/// Notes the data of a parameter's shadows until the generated function ends. All that reaches the primal or a shadow from here
/// on goes through one address of it, so that no borrow ends another.
fn keep(derivative: &Derivative, index: usize, param: &Param) -> TokenStream {
    let raw = |mutable| if mutable { quote!(mut) } else { quote!(const) };
    let (ident, primal) = (&param.ident, local("primal", index));
    let mutable = matches!(param.kind, Kind::Mut | Kind::MutSlice);
    let reverse = derivative.mode == Mode::Reverse;
    let (primal_raw, shadow_raw) = (raw(mutable), raw(is_mutable(derivative, param)));
    let shadows = param.shadows.iter().enumerate().map(|(lane, shadow)| {
        let (place, kept) = (lane_local(index, lane), local("kept", index));
        quote! {
            let #place = &raw #shadow_raw *#shadow;
            let #kept = unsafe {
                (&&&::cotangent::__private::KeptShadow::<_, #mutable, #reverse>(#primal, #place)).kept()
            };
        }
    });
    quote! {
        use ::cotangent::__private::{KeptByBound as _, KeptUnknown as _, KeptUnsized as _};
        let #primal = &raw #primal_raw *#ident;
        #(#shadows)*
    }
}

/// The marker's operands for a parameter.
fn operands_of(derivative: &Derivative, index: usize, param: &Param) -> Vec<TokenStream> {
    let ident = &param.ident;
    let mut operands = Vec::new();
    match param.kind {
        _ if keeps(param) => {
            let primal = local("primal", index);
            operands.push(quote!(#primal as *mut u8));
            let is_slice = matches!(param.kind, Kind::Slice | Kind::MutSlice);
            let len = local("len", index);
            let lanes = if param.lanes { 0..derivative.width } else { 0..1 };
            for (place, _) in param.shadows.iter().enumerate() {
                let place = lane_local(index, place);
                operands.extend(lanes.clone().map(|lane| match lane {
                    0 => quote!(#place as *mut u8),
                    lane => {
                        let lane = Literal::u32_unsuffixed(lane);
                        quote!(::cotangent::__private::lane(#place, #lane * #len))
                    }
                }));
            }
            operands.extend(is_slice.then(|| len.into_token_stream()));
        }
        Kind::Ref | Kind::Mut => {
            operands.push(address(ident, param.kind == Kind::Mut));
            let mutable = is_mutable(derivative, param);
            operands.extend(param.shadows.iter().map(|shadow| address(shadow, mutable)));
        }
        Kind::Slice | Kind::MutSlice => {
            operands.push(slice_address(ident, param.kind == Kind::MutSlice));
            let len = local("len", index);
            if param.lanes {
                let base = lane_local(index, 0);
                operands.extend((0..derivative.width).map(|lane| {
                    let lane = Literal::u32_unsuffixed(lane);
                    quote!(#base.wrapping_add(#lane * #len))
                }));
            } else {
                let mutable = is_mutable(derivative, param);
                operands.extend(param.shadows.iter().map(|shadow| slice_address(shadow, mutable)));
            }
            operands.push(len.into_token_stream());
        }
        Kind::Value | Kind::Return => {
            let primal = local("primal", index);
            operands.push(place_address(&primal));
            if param.returns_adjoint(derivative.mode) {
                operands.push(place_address(&local("shadow", index)));
            }
            operands.extend((0..param.shadows.len()).map(|lane| place_address(&lane_local(index, lane))));
        }
    }
    operands
}

/// True where a reference's shadows are `&mut`.
fn is_mutable(derivative: &Derivative, param: &Param) -> bool {
    derivative.mode == Mode::Reverse || matches!(param.kind, Kind::Mut | Kind::MutSlice)
}

fn address(reference: &Ident, mutable: bool) -> TokenStream {
    match mutable {
        true => quote!(#reference as *mut _ as *mut u8),
        false => quote!(#reference as *const _ as *const u8),
    }
}

fn slice_address(slice: &Ident, mutable: bool) -> TokenStream {
    match mutable {
        true => quote!(#slice as *mut [_] as *mut u8),
        false => quote!(#slice as *const [_] as *const u8),
    }
}

fn place_address(place: &Ident) -> TokenStream {
    quote!(&raw mut #place as *mut u8)
}

fn lane_local(index: usize, lane: usize) -> Ident {
    format_ident!("shadow_{index}_{lane}", span = Span::mixed_site())
}

/// Names of the result's storage.
fn ret_name() -> Ident {
    Ident::new("ret", Span::mixed_site())
}

fn ret_shadow_name() -> Ident {
    Ident::new("ret_shadow", Span::mixed_site())
}

/// True where primal and tangents of the result are one array, as they are returned.
fn returns_array(derivative: &Derivative, ret: &Return) -> bool {
    derivative.mode == Mode::Forward && derivative.width > 1 && ret.activity == Activity::Dup
}

/// Memory for the result and its shadow: the seed in reverse mode, zeroed tangents in forward mode.
fn store_return(derivative: &Derivative, ret: &Return) -> TokenStream {
    let (primal, shadow, ty) = (ret_name(), ret_shadow_name(), &ret.ty);
    let width = Literal::u32_unsuffixed(derivative.width);
    if returns_array(derivative, ret) {
        let all = Literal::u32_unsuffixed(derivative.width + 1);
        return quote!(let mut #primal = ::core::mem::MaybeUninit::<[#ty; #all]>::zeroed(););
    }
    let mut tokens = quote!(let mut #primal = ::core::mem::MaybeUninit::<#ty>::uninit(););
    match (signature::seed(derivative), ret.activity) {
        (_, Activity::Const) => {}
        (Some(seed), _) => tokens.extend(quote!(let mut #shadow = #seed;)),
        (None, _) if derivative.width == 1 => {
            tokens.extend(quote!(let mut #shadow = ::core::mem::MaybeUninit::<#ty>::zeroed();));
        }
        (None, _) => tokens.extend(quote!(let mut #shadow = ::core::mem::MaybeUninit::<[#ty; #width]>::zeroed();)),
    }
    tokens
}

/// The marker's operands for the result.
fn operands_of_return(derivative: &Derivative, ret: &Return) -> Vec<TokenStream> {
    let (primal, shadow, ty) = (ret_name(), ret_shadow_name(), &ret.ty);
    let lane = |place: &Ident, lane: u32| {
        let lane = Literal::u32_unsuffixed(lane);
        quote!((&raw mut #place as *mut #ty).wrapping_add(#lane))
    };
    let width = derivative.width;
    let mut operands = vec![place_address(&primal)];
    if returns_array(derivative, ret) {
        operands.extend((1..=width).map(|index| lane(&primal, index)));
    } else if ret.activity != Activity::Const {
        match width {
            1 => operands.push(place_address(&shadow)),
            _ => operands.extend((0..width).map(|index| lane(&shadow, index))),
        }
    }
    operands
}

/// The expression at the end.
fn result(derivative: &Derivative) -> TokenStream {
    let (primal, shadow) = (ret_name(), ret_shadow_name());
    let taken = |place: &Ident| quote!(#place.assume_init());
    let mut list = Vec::new();
    if let Some(ret) = &derivative.ret {
        if ret.activity != Activity::DupOnly {
            list.push(taken(&primal));
        }
        let tangents_apart = ret.activity != Activity::Const && !returns_array(derivative, ret);
        if derivative.mode == Mode::Forward && tangents_apart {
            list.push(taken(&shadow));
        }
    }
    list.extend(derivative.adjoints().map(|(index, _)| taken(&local("shadow", index))));
    match &list[..] {
        [] => TokenStream::new(),
        [only] => only.clone(),
        list => quote!((#(#list),*)),
    }
}
