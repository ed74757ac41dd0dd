//! The scanner of `App.vue`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| galley_editor_fuzz::scan("App.vue", text));
