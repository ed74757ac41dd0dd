//! What other languages print before they give up: the exception, and where it was raised.

use crate::capabilities::lines::joined;

/// The line with which Python begins; the exception stands behind the places.
const TRACEBACK: &str = "Traceback (most recent call last)";

/// The exception, then everything that was printed behind ` | `. Nothing where nothing was printed.
pub fn text(printed: &str) -> Option<String> {
    let all = joined(printed)?;
    let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
    let traceback = lines.iter().rposition(|line| line.starts_with(TRACEBACK));
    let exception = match traceback {
        // The places are indented, and so are further lines of the message.
        Some(traceback) => lines[traceback + 1..]
            .iter()
            .find(|line| !line.starts_with([' ', '\t'])),
        // A panic of Rust names its place in a line of its own.
        None => lines
            .iter()
            .find(|line| !line.starts_with("thread '"))
            .or(lines.first()),
    };
    let exception = exception.and_then(|line| joined(line));
    Some(format!(
        "{} | {all}",
        exception.as_deref().unwrap_or("raised an exception")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exception_comes_first() {
        let python =
            "Traceback (most recent call last):\n  File \"/app.py\", line 3, in greet\n    one()\nKeyError: 'name'\n";
        let text = text(python).unwrap();
        assert!(text.starts_with("KeyError: 'name' | Traceback"), "{text}");
        assert!(text.contains("File \"/app.py\", line 3, in greet"), "{text}");
        let script = "Error: no name\n    at greet (plugin.js:3:9)\n";
        assert!(
            super::text(script)
                .unwrap()
                .starts_with("Error: no name | Error: no name | at greet (plugin.js:3:9)")
        );
        assert_eq!(super::text("\n"), None);
    }
}
