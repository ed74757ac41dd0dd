//! What is costly to make is made once: by one of the tests that want it, while the others wait, in this process and in those
//! beside it.

use std::fs::File;
use std::path::Path;

/// Waits for its turn at what lies at `path`, until the file that comes back is dropped.
///
/// # Panics
/// When the folder cannot be written.
#[must_use]
pub fn turn(path: &Path) -> File {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let file = File::create(name).expect("the target folder is writable");
    file.lock().expect("files can be locked");
    file
}
