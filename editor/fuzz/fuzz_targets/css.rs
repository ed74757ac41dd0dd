//! Stylesheets in the three dialects: the first byte says which, and which statement is edited.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: (u8, &str)| galley_editor_fuzz::css(input.1, input.0));
