//! The scanner of `App.tsx`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| galley_editor_fuzz::scan("App.tsx", text));
