//! Load from outside: the program `wrk`, one thread, so that the other core is the server's.

use std::process::Command;

/// Requests each second that an address answers, over a short while. Panics when an answer is not a success.
pub fn requests_per_second(url: &str, headers: &[(&str, &str)], seconds: u32) -> f64 {
    let mut command = Command::new("wrk");
    command.args(["-t1", "-c16", &format!("-d{seconds}s")]);
    for (name, value) in headers {
        command.args(["-H", &format!("{name}: {value}")]);
    }
    let output = command
        .arg(url)
        .output()
        .expect("wrk runs: `cargo xtask setup` installs it");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!text.contains("Non-2xx"), "{url} answered errors:\n{text}");
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Requests/sec:"))
        .unwrap_or_else(|| panic!("{text}"));
    line.trim().parse().unwrap()
}

/// One side of a comparison.
pub struct Side<'s> {
    /// The address.
    pub url: String,
    /// Headers of each request.
    pub headers: &'s [(&'s str, &'s str)],
}

/// The requests each second of two sides that take turns, as medians.
pub fn versus(ours: &Side<'_>, theirs: &Side<'_>, rounds: usize) -> (f64, f64) {
    // Once each without counting: caches fill, code pages come in.
    for side in [ours, theirs] {
        requests_per_second(&side.url, side.headers, 1);
    }
    let (mut our, mut their) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        our.push(requests_per_second(&ours.url, ours.headers, 2));
        their.push(requests_per_second(&theirs.url, theirs.headers, 2));
    }
    (crate::median(our), crate::median(their))
}
