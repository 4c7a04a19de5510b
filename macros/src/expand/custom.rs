//! Functions with a rule of their user's: the function as it was, with a marker in front of its body.
//!
//! ```text
//! fn f(x: &[f64]) -> f64 {
//!     { let mut ret = ..; if __ct_rule(rule, primal thunk, rule's thunks.., x, its length.., &mut ret) { return ret } }
//!     the body
//! }
//! ```
//!
//! What each thunk does is said in the contract. A rule is assigned to a function pointer of the type that it must have, at the
//! place where it was written, so that a mistake in its signature is the compiler's own error there, with the type expected.

use cotangent_contract::{self as contract, Activity, Kind, Mode};
use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, ExprPath, FnArg, Pat, ReturnType, Type, parse_quote};

use super::thunk::{self, local};
use super::{body, lifetimes, signature};
use crate::check::custom::Modes;
use crate::item::Function;
use crate::model::{Derivative, Param, Return};
use crate::rule::{Rule, span_of};
use crate::types;

/// The function with the marker in it.
pub fn function(function: &Function, rule: &Rule, modes: &Modes, callee: Option<&ExprPath>) -> TokenStream {
    let (attrs, vis, mut sig) = (&function.attrs, &function.vis, function.sig.clone());
    let mut patterns = TokenStream::new();
    for (input, param) in sig.inputs.iter_mut().zip(&modes.reverse.params) {
        if let FnArg::Typed(typed) = input {
            let is_plain = matches!(&*typed.pat, Pat::Ident(pat)
                if pat.subpat.is_none() && pat.by_ref.is_none() && pat.ident == param.ident);
            if !is_plain {
                let (pat, ident) = (&typed.pat, &param.ident);
                patterns.extend(quote!(let #pat = #ident;));
                typed.pat = parse_quote!(#ident);
            }
        }
    }
    let marker = marker(rule, modes, callee);
    let body = function.body.as_ref().map(Group::stream);
    quote! {
        #(#attrs)*
        #vis #sig {
            #marker
            #patterns
            #body
        }
    }
}

/// The statement in front of the body.
fn marker(rule: &Rule, modes: &Modes, callee: Option<&ExprPath>) -> TokenStream {
    let reverse = &modes.reverse;
    let mut checks = TokenStream::new();
    let mut operands = Vec::new();
    for param in &reverse.params {
        let (ident, inner) = (&param.ident, &param.inner);
        match param.kind {
            Kind::Slice => operands.push(quote!(&raw const *#ident as *const u8)),
            Kind::MutSlice => operands.push(quote!(&raw mut *#ident as *mut u8)),
            Kind::Ref => operands.push(quote!(&raw const *#ident as *const u8)),
            Kind::Mut => operands.push(quote!(&raw mut *#ident as *mut u8)),
            Kind::Value | Kind::Return => {
                checks.extend(quote!(::cotangent::__private::assert_plain::<#inner>();));
                if param.activity != Activity::Const {
                    checks.extend(body::assert_floats(reverse, inner));
                }
                operands.push(quote!(&raw const #ident as *const u8));
            }
        }
        if is_slice(param) {
            operands.push(quote!(#ident.len()));
        }
        operands.push(if param.is_receiver() && param.kind != Kind::Value {
            quote!(::core::mem::size_of_val(&*#ident))
        } else {
            quote!(::core::mem::size_of::<#inner>())
        });
        operands.push(facts(inner));
    }
    let ret = Ident::new("ret", Span::mixed_site());
    let mut storage = TokenStream::new();
    let mut result = TokenStream::new();
    if let Some(value) = &reverse.ret {
        let ty = &value.ty;
        if of_result(rule, value) != Activity::Const {
            checks.extend(body::assert_floats(reverse, ty));
        }
        storage = quote!(let mut #ret = ::core::mem::MaybeUninit::<#ty>::uninit(););
        operands.push(quote!(&raw mut #ret as *mut u8));
        operands.push(quote!(::core::mem::size_of::<#ty>()));
        operands.push(facts(ty));
        result = quote!(#ret.assume_init());
    }
    let name = callee.and_then(|path| path.path.segments.last()).map(|last| &last.ident);
    let name = name.unwrap_or(&reverse.function.sig.ident);
    let mut text = description(rule, reverse, name).to_string().into_bytes();
    text.push(0);
    let text = Literal::byte_string(&text);
    let mut thunks = vec![thunk::calling(reverse, callee)];
    if rule.inactive.is_none() {
        thunks.extend(rule.forward.iter().map(|path| forward(&modes.forward, path)));
        thunks.extend(rule.augmented.iter().map(|path| augmented(reverse, path)));
        thunks.extend(rule.reverse.iter().map(|path| pullback(reverse, path, rule.augmented.as_ref())));
    }
    if let Some(value) = &reverse.ret
        && makes_shadow(rule, reverse)
    {
        let ty = &value.ty;
        thunks.push(quote! {
            (|ret: *mut u8, shadow: *mut u8| {
                use ::cotangent::__private::{AnyType as _, Facts};
                <Facts<#ty>>::put_shadow(ret, shadow)
            }) as fn(*mut u8, *mut u8) as *const ()
        });
    }
    quote! {
        #[allow(clippy::all, unused_mut, unused_variables, unused_unsafe, unreachable_code)]
        {
            #checks
            #storage
            unsafe {
                if ::cotangent::__private::__ct_rule(#text as *const u8, #(#thunks,)* #(#operands),*) {
                    return #result;
                }
            }
        }
    }
}

/// What the contract wants to know of a type. An associated constant of the type itself goes before one of a trait, where its bounds hold.
fn facts(ty: &Type) -> TokenStream {
    quote!(const {
        use ::cotangent::__private::{AnyType as _, Facts};
        <Facts<#ty>>::FLAT | <Facts<#ty>>::STEADY | <Facts<#ty>>::SHADOWED | <Facts<#ty>>::OWNS | <Facts<#ty>>::REFERS
    })
}

/// The activity of the result: of a function without a derivative, only floats and slices of them are known to have one to be left out.
fn of_result(rule: &Rule, value: &Return) -> Activity {
    if rule.inactive.is_some() && value.floats == 0 { Activity::Const } else { value.activity }
}

/// Whether the result has no derivative: what it leads to may be memory that the function has made.
fn makes_shadow(rule: &Rule, reverse: &Derivative) -> bool {
    let is_constant = |value: &Return| rule.inactive.is_some() || value.activity == Activity::Const;
    reverse.ret.as_ref().is_some_and(is_constant)
}

fn is_slice(param: &Param) -> bool {
    matches!(param.kind, Kind::Slice | Kind::MutSlice)
}

/// The text that travels with the marker.
fn description(rule: &Rule, reverse: &Derivative, name: &Ident) -> contract::Rule {
    let plain = |activity| if activity == Activity::Const { Activity::Const } else { Activity::Dup };
    let mut params: Vec<contract::Param> = reverse
        .params
        .iter()
        .map(|param| contract::Param { kind: param.kind, activity: plain(param.activity), floats: param.floats })
        .collect();
    if let Some(ret) = &reverse.ret {
        params.push(contract::Param { kind: Kind::Return, activity: plain(of_result(rule, ret)), floats: ret.floats });
    }
    contract::Rule {
        forward: rule.forward.is_some(),
        reverse: rule.reverse.is_some(),
        tape: rule.augmented.is_some(),
        inactive: rule.inactive.is_some(),
        shadow: makes_shadow(rule, reverse),
        name: name.to_string(),
        params,
    }
}

/// Parameters of a thunk, statements in front of the call, and the call's arguments.
#[derive(Default)]
struct Parts {
    names: Vec<Ident>,
    types: Vec<TokenStream>,
    before: TokenStream,
    arguments: Vec<TokenStream>,
}

impl Parts {
    fn pointer(&mut self, name: &Ident) {
        self.names.push(name.clone());
        self.types.push(quote!(*mut u8));
    }
    fn word(&mut self, name: &Ident) {
        self.names.push(name.clone());
        self.types.push(quote!(usize));
    }
    /// A closure that captures nothing, as an address.
    fn thunk(self, result: TokenStream, body: TokenStream) -> TokenStream {
        let Parts { names, types, before, .. } = self;
        quote!((|#(#names: #types),*| #result { #before #body }) as fn(#(#types),*) #result as *const ())
    }
}

fn scratch() -> Ident {
    Ident::new("scratch", Span::mixed_site())
}

/// Makes the place where zeros come from, for parameters that may need them.
fn prepare(derivative: &Derivative) -> TokenStream {
    let wanted = derivative.params.iter().any(|param| param.kind != Kind::Value && param.activity != Activity::Const);
    let scratch = scratch();
    if wanted { quote!(let #scratch = ::cotangent::__private::Scratch::new();) } else { TokenStream::new() }
}

/// Bytes behind a reference.
fn bytes(param: &Param, pointer: &Ident, length: &Ident) -> TokenStream {
    let inner = &param.inner;
    match param.kind {
        Kind::Slice | Kind::MutSlice => quote!(#length * ::core::mem::size_of::<#inner>()),
        // The compiler cannot know that `Self` of a trait has a size.
        _ if types::is_self_type(inner) => {
            quote!(::core::mem::size_of_val(::core::mem::transmute_copy::<*mut u8, &Self>(&#pointer)))
        }
        _ => quote!(::core::mem::size_of::<#inner>()),
    }
}

/// The forward rule's thunk.
fn forward(derivative: &Derivative, path: &Expr) -> TokenStream {
    let mut parts = Parts { before: prepare(derivative), ..Parts::default() };
    let scratch = scratch();
    for (index, param) in derivative.params.iter().enumerate() {
        let (pointer, shadow, length) = (local("p", index), local("b", index), local("n", index));
        parts.pointer(&pointer);
        let active = param.activity != Activity::Const;
        if active {
            parts.pointer(&shadow);
        }
        if is_slice(param) {
            parts.word(&length);
        }
        parts.arguments.push(thunk::argument(param, &pointer, &length));
        if !active {
            continue;
        }
        if param.kind == Kind::Value {
            let ty = &param.inner;
            parts.arguments.push(quote!(::cotangent::__private::read_or_zero::<#ty>(#shadow)));
        } else {
            let bytes = bytes(param, &pointer, &length);
            parts.before.extend(quote!(let #shadow = #scratch.or_zeros(#shadow, #bytes);));
            parts.arguments.push(thunk::argument(param, &shadow, &length));
        }
    }
    let call = call(derivative, path, &Leading::None, &parts.arguments);
    let (ret, tangent) = (Ident::new("ret", Span::mixed_site()), Ident::new("tangent", Span::mixed_site()));
    let body = match &derivative.ret {
        None => quote!(#call;),
        Some(value) if value.activity == Activity::Const => {
            parts.pointer(&ret);
            quote!(::cotangent::__private::put(#ret, #call);)
        }
        Some(_) => {
            parts.pointer(&ret);
            parts.pointer(&tangent);
            quote! {
                let both = #call;
                ::cotangent::__private::put(#ret, both.0);
                ::cotangent::__private::put_tangent(#tangent, both.1);
            }
        }
    };
    parts.thunk(TokenStream::new(), body)
}

/// The augmented function's thunk.
fn augmented(derivative: &Derivative, path: &Expr) -> TokenStream {
    let mut parts = primal_parts(derivative);
    let call = call(derivative, path, &Leading::Augmented, &parts.arguments);
    let ret = Ident::new("ret", Span::mixed_site());
    let put = derivative.ret.is_some().then(|| {
        parts.pointer(&ret);
        quote!(::cotangent::__private::put(#ret, both.0);)
    });
    parts.thunk(quote!(-> *mut u8), quote!(let both = #call; #put ::cotangent::__private::keep_tape(both.1)))
}

/// The parameters of the function itself.
fn primal_parts(derivative: &Derivative) -> Parts {
    let mut parts = Parts::default();
    for (index, param) in derivative.params.iter().enumerate() {
        let (pointer, length) = (local("p", index), local("n", index));
        parts.pointer(&pointer);
        if is_slice(param) {
            parts.word(&length);
        }
        parts.arguments.push(thunk::argument(param, &pointer, &length));
    }
    parts
}

/// The reverse rule's thunk, or the pullback's.
fn pullback(derivative: &Derivative, path: &Expr, augmented: Option<&Expr>) -> TokenStream {
    let mut parts = Parts { before: prepare(derivative), ..Parts::default() };
    let (scratch, apart) = (scratch(), Ident::new("apart", Span::mixed_site()));
    let handle = Ident::new("handle", Span::mixed_site());
    if augmented.is_some() {
        parts.pointer(&handle);
    }
    let active = |param: &&Param| param.activity != Activity::Const;
    let shared = |param: &Param| matches!(param.kind, Kind::Ref | Kind::Slice);
    let may_overlap = derivative.params.iter().filter(active).filter(|param| shared(param)).count() > 1;
    let mut given = Vec::new();
    let mut kept_apart = Vec::new();
    let mut adjoints = Vec::new();
    for (index, param) in derivative.params.iter().enumerate() {
        let [pointer, shadow, length, width] = ["p", "d", "n", "w"].map(|name| local(name, index));
        parts.pointer(&pointer);
        if param.activity != Activity::Const {
            parts.pointer(&shadow);
        }
        if is_slice(param) {
            parts.word(&length);
        }
        parts.arguments.push(thunk::argument(param, &pointer, &length));
        if param.activity == Activity::Const {
            continue;
        }
        parts.word(&width);
        if param.kind == Kind::Value {
            adjoints.push((shadow, width));
            continue;
        }
        let bytes = bytes(param, &pointer, &length);
        if may_overlap && shared(param) {
            given.push(quote!((#shadow, #bytes, #width)));
            kept_apart.push(shadow.clone());
        } else {
            parts.before.extend(quote!(let #shadow = #scratch.or_zeros(#shadow, #bytes);));
        }
        parts.arguments.push(exclusive(param, &shadow, &length));
    }
    if may_overlap {
        parts.before.extend(quote! {
            let #apart = ::cotangent::__private::Apart::new(&#scratch, [#(#given),*]);
            let [#(#kept_apart),*] = #apart.pointers();
        });
    }
    let seed = Ident::new("seed", Span::mixed_site());
    if derivative.ret.as_ref().is_some_and(|ret| ret.activity != Activity::Const) {
        parts.pointer(&seed);
        parts.arguments.push(quote!(::cotangent::__private::take_seed(#seed)));
    }
    let tape = Ident::new("tape", Span::mixed_site());
    let mut leading = Leading::None;
    if let Some(augmented) = augmented {
        let primal = primal_parts(derivative).arguments;
        let again = call(derivative, augmented, &Leading::Augmented, &primal);
        // The second statement never runs: it makes the compiler hold the two types of the tape against each other.
        parts.before.extend(quote! {
            let mut #tape = ::cotangent::__private::take_tape(#handle);
            if false { #tape = #again.1; }
        });
        leading = Leading::Pullback(tape);
    }
    let call = call(derivative, path, &leading, &parts.arguments);
    let result = Ident::new("adjoints", Span::mixed_site());
    let add = adjoints.iter().enumerate().map(|(number, (shadow, width))| {
        let number = Literal::usize_unsuffixed(number);
        let adjoint = if adjoints.len() == 1 { quote!(#result) } else { quote!(#result.#number) };
        quote!(::cotangent::__private::add_adjoint(#shadow, #adjoint, #width);)
    });
    let add: Vec<TokenStream> = add.collect();
    let finish = may_overlap.then(|| quote!(#apart.finish();));
    parts.thunk(TokenStream::new(), quote!(let #result = #call; #finish #(#add)*))
}

/// The `&mut` of an adjoint.
fn exclusive(param: &Param, pointer: &Ident, length: &Ident) -> TokenStream {
    let kind = if is_slice(param) { Kind::MutSlice } else { Kind::Mut };
    let param = Param {
        kind,
        ident: param.ident.clone(),
        ty: param.ty.clone(),
        inner: param.inner.clone(),
        activity: param.activity,
        shadows: Vec::new(),
        lanes: false,
        floats: param.floats,
    };
    thunk::argument(&param, pointer, length)
}

/// What a rule has beside the parameters of a derivative.
enum Leading {
    None,
    /// It returns a tape and has no shadows.
    Augmented,
    /// It takes the tape in this variable.
    Pullback(Ident),
}

/// A call of a rule, through a pointer of the type that it must have.
fn call(derivative: &Derivative, path: &Expr, leading: &Leading, arguments: &[TokenStream]) -> TokenStream {
    let tape = match leading {
        Leading::Pullback(tape) => Some(quote!(#tape,)),
        _ => None,
    };
    let span = span_of(path);
    let rule = Ident::new("rule", Span::mixed_site());
    match expected(derivative, leading) {
        Some(ty) => {
            let ty = respanned(ty, span);
            let assignment = quote_spanned!(span=> let #rule: #ty = #path;);
            quote!({ #assignment #rule(#tape #(#arguments),*) })
        }
        None => quote!(#path(#tape #(#arguments),*)),
    }
}

/// The type of a rule; none where it cannot be written as a function pointer, because the result borrows from a parameter in a way that only
/// a function's own signature may leave unsaid.
fn expected(derivative: &Derivative, leading: &Leading) -> Option<TokenStream> {
    let mut sig = derivative.function.sig.clone();
    let before = sig.generics.params.len();
    lifetimes::name_elided_output(&mut sig);
    let named = sig.generics.params.len() > before;
    if let ReturnType::Type(_, output) = &mut sig.output
        && !named
        && lifetimes::has_elided(output)
    {
        return None;
    }
    let mut inputs = TokenStream::new();
    if matches!(leading, Leading::Pullback(_)) {
        inputs.extend(quote!(_,));
    }
    for (input, param) in sig.inputs.iter().zip(&derivative.params) {
        let ty = match input {
            FnArg::Typed(typed) => &*typed.ty,
            FnArg::Receiver(receiver) => &*receiver.ty,
        };
        inputs.extend(quote!(#ty,));
        if !matches!(leading, Leading::Augmented) {
            inputs.extend(signature::shadow_types(derivative, param));
        }
    }
    let output = match &sig.output {
        ReturnType::Type(_, ty) if !types::is_unit(ty) => Some(&**ty),
        _ => None,
    };
    let seed = derivative.ret.as_ref().filter(|ret| ret.activity != Activity::Const);
    let result = match (leading, derivative.mode) {
        (Leading::Augmented, _) => {
            let output = output.map_or(quote!(()), ToTokens::to_token_stream);
            quote!(-> (#output, _))
        }
        (_, Mode::Forward) => match (seed, output) {
            (Some(_), Some(ty)) => quote!(-> (#ty, #ty)),
            (_, Some(ty)) => quote!(-> #ty),
            (_, None) => TokenStream::new(),
        },
        (_, Mode::Reverse) => {
            if let Some(ret) = seed {
                let ty = &ret.ty;
                inputs.extend(quote!(#ty,));
            }
            let adjoints: Vec<_> = derivative.adjoints().map(|(_, param)| &param.inner).collect();
            match &adjoints[..] {
                [] => TokenStream::new(),
                [only] => quote!(-> #only),
                list => quote!(-> (#(#list),*)),
            }
        }
    };
    let binder = named.then(|| quote!(for<'__ct>));
    let unsafety = &sig.unsafety;
    Some(quote!(#binder #unsafety fn(#inputs) #result))
}

/// Tokens that stand, for messages, where the rule was written.
fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let each = |tree: TokenTree| match tree {
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), respanned(group.stream(), span));
            new.set_span(span.resolved_at(group.span()));
            TokenTree::Group(new)
        }
        mut other => {
            other.set_span(span.resolved_at(other.span()));
            other
        }
    };
    tokens.into_iter().map(each).collect()
}

/// The name of the static that says which function a rule is for.
pub fn registration() -> Ident {
    format_ident!("{}", contract::RULE_FOR, span = Span::mixed_site())
}
