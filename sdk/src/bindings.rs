//! The bindings that `wit-bindgen` generates from `wit/`. Plugins do not use this module: records are re-exported where they
//! belong, functions are reached through `crate::host`.
//!
//! The bindings compile natively too (the records are shared with the test harness), but their functions work in a
//! component only.
#![allow(missing_docs, unsafe_code, clippy::all)]
// Generated: undocumented in places, unsafe by nature, and not in our style.

wit_bindgen::generate!({
    path: "../wit",
    world: "plugin-full",
    generate_all,
    pub_export_macro: true,
    default_bindings_module: "galley_sdk::bindings",
});
