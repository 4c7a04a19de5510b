//! The pages of `docs`, as far as they have code: each Rust block is a test, in the page's own module.
//!
//! A page is added here by its name. Its blocks may use what this package's tests may; what is not meant to run is marked `ignore`
//! or `text`.

macro_rules! pages {
    ($($page:ident)*) => {$(
        #[doc = include_str!(concat!("../../docs/", stringify!($page), ".md"))]
        pub mod $page {}
    )*};
}

pages! { activities checking coming_from costs debugging first_steps semantics writing_rules }
