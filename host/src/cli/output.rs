//! Standard output and standard error of commands.

use std::io::{ErrorKind, Write};

/// Prints a text. A reader that has enough (`galley plugins list | head -1`) ends the command, and is no error.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}

/// Writes a line to standard error. A reader that is gone is no reason to stop.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Prints JSON.
pub fn print_json(value: &serde_json::Value) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}
