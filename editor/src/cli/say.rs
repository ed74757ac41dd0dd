//! Speaking to the person at the terminal. Nobody listening any more, as behind `| head`, is no reason to fail.

use std::fmt::Display;
use std::io::Write;

/// A line on standard error.
pub fn note(words: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{words}");
}

/// A warning on standard error.
pub fn warn(words: impl Display) {
    note(format_args!("Warning: {words}"));
}

/// Text on standard output, at once.
pub fn out(text: impl Display) {
    let mut stdout = std::io::stdout().lock();
    let _ = write!(stdout, "{text}");
    let _ = stdout.flush();
}
