//! A request, and whether it was done.

use std::io::ErrorKind;
use std::time::Duration;

use galley_harness::http::{Request, Response};

/// How long a client waits for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// What became of a request.
#[derive(Debug)]
pub enum Answer {
    /// It was done, or says what it was asked for.
    Done(Response),
    /// It was not done: nobody listened, or the server says so (a 503 with `Retry-After`, and not `inDoubt`).
    Refused,
    /// Nobody knows whether it was done.
    Unknown,
    /// It was not done, for a reason of its own (4xx).
    Denied(Response),
    /// The server made a mistake (5xx other than 503): it may have been done.
    Failed(Response),
}

/// Sends a request once.
pub fn ask(request: Request) -> Answer {
    match request.within(ANSWER_TIMEOUT).try_send() {
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => Answer::Refused,
        Err(_) => Answer::Unknown,
        Ok(answer) => match answer.status {
            200..=299 => Answer::Done(answer),
            503 if answer.header("retry-after").is_some() && !answer.text().contains("\"inDoubt\":true") => {
                Answer::Refused
            }
            503 => Answer::Unknown,
            500.. => Answer::Failed(answer),
            _ => Answer::Denied(answer),
        },
    }
}
