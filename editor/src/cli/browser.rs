//! Opening the browser.

use std::process::{Command, Stdio};

/// Opens `address` in the person's browser; without one nothing happens, for the address was printed.
pub fn open(address: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new("xdg-open")
    };
    command
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // A program that hands over to a running browser ends soon: somebody has to take notice of its end.
    let _ = std::thread::Builder::new()
        .name("browser".into())
        .spawn(move || command.status());
}
