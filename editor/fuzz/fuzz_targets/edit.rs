//! Edits in files of both languages: the first byte says which element, which edit and which language.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: (u8, bool, &str)| {
    let (choose, vue, text) = input;
    galley_editor_fuzz::edit(if vue { "App.vue" } else { "App.tsx" }, text, choose);
});
