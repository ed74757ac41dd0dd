//! Whether an example of a component's use is one that its library's declarations allow.
//!
//! Whoever wrote it is not believed: it is one element; each tag is a component of the library, each attribute a property that the
//! component declares, with a value it may take; and an expression names or writes a value, and does nothing.

mod declared;
mod jsx;
mod value;
mod vue;

use declared::Declared;

use crate::source::model::LibraryComponent;

/// The longest example, in bytes.
const MAX_EXAMPLE_BYTES: usize = 600;

/// Checks an example of `component`'s use, as JSX or as a template of Vue. Components of `library` may stand in it.
///
/// # Errors
/// What is wrong with it, in words.
pub fn check_example(library: &[LibraryComponent], component: &LibraryComponent, example: &str) -> Result<(), String> {
    if example.len() > MAX_EXAMPLE_BYTES {
        return Err(format!("it is longer than {MAX_EXAMPLE_BYTES} bytes"));
    }
    let declared = Declared::new(library, component.is_vue);
    let shown = if component.is_vue {
        vue::check(&declared, example)
    } else {
        jsx::check(&declared, example)
    }?;
    if shown == component.name {
        Ok(())
    } else {
        Err(format!("it shows {shown}, and not {}", component.name))
    }
}
