//! Why a call failed, for the log: the reason comes first, then where in the guest.

use std::collections::HashSet;
use std::fmt::Write;
use std::time::Duration;

use wasmtime::{FrameInfo, Trap, WasmBacktrace};
use wasmtime_wasi::I32Exit;

use super::exception;
use crate::capabilities::State;

/// Frames of the guest in a line of the log.
const MAX_FRAMES: usize = 12;

/// The error of a call that ran out of time, with what it did then.
#[derive(Debug, thiserror::Error)]
#[error("the plugin ran out of time")]
pub enum OutOfTime {
    /// It ran. Its frames, each behind ` | at `.
    Computing(String),
    /// It waited for the host.
    Waiting,
    /// It waited for a turn in the slow lane.
    Queued,
}

/// The error of a call that failed, as the log says it.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct Failure {
    text: String,
    /// Whether the plugin used its memory up.
    pub by_memory: bool,
}

/// Puts what is known of the instance into the error. One that ran out of time stays as it is.
pub fn explain(error: wasmtime::Error, state: &State) -> wasmtime::Error {
    if error.is::<OutOfTime>() {
        return error;
    }
    let by_memory = state.memory.refused && ended_itself(&error);
    if let Some(text) = exception(&error, state).filter(|_| !by_memory) {
        return Failure { text, by_memory }.into();
    }
    let mut text = reason(&error, state);
    if let Some(backtrace) = error.downcast_ref::<WasmBacktrace>() {
        text.push_str(&frames(backtrace));
    }
    Failure { text, by_memory }.into()
}

/// The error of an instance that could not be made: its memory may begin with more than the bound.
pub fn unmade(error: wasmtime::Error, state: &State) -> wasmtime::Error {
    if !state.memory.refused {
        return error;
    }
    let (most, slot) = (state.memory.limit >> 20, &state.slot.name);
    let text = format!(
        "needs more than its {most} MiB of memory to begin: `galley plugins limits {slot} memory=…` gives it more"
    );
    Failure { text, by_memory: true }.into()
}

/// What a guest of another language printed before it ended itself. Frames would be those of its interpreter.
fn exception(error: &wasmtime::Error, state: &State) -> Option<String> {
    let exits = error.is::<I32Exit>() || matches!(error.downcast_ref(), Some(Trap::UnreachableCodeReached));
    exits.then(|| exception::text(&state.take_errors()?)).flatten()
}

/// The text of an error that was explained, or of one that never reached an instance.
pub fn text(error: &wasmtime::Error) -> String {
    match error.downcast_ref::<Failure>() {
        Some(failure) => failure.text.clone(),
        None => one_line(&format!("{error:#}")),
    }
}

impl OutOfTime {
    /// How long the call ran, what it did, and where it was.
    pub fn text(&self, deadline: Duration, in_sql: Duration) -> String {
        let (what, frames) = match self {
            Self::Computing(frames) => ("computing at the end", frames.as_str()),
            Self::Waiting => ("waiting for the server at the end", ""),
            Self::Queued => ("waiting for its turn among long calls at the end", ""),
        };
        let what = if in_sql * 2 > deadline {
            "most of it in SQL"
        } else {
            what
        };
        format!("ran {} ms, {what}{frames}", grouped(deadline.as_millis()))
    }
}

/// Where a guest is.
pub fn frames(backtrace: &WasmBacktrace) -> String {
    let mut text = String::new();
    for frame in backtrace.frames().iter().take(MAX_FRAMES) {
        // Inlined functions first; without debug information there is one symbol, or only the function's name.
        let symbol = frame.symbols().first();
        let _ = write!(text, " | at {}", name(frame));
        if let Some((file, line)) = symbol.and_then(|symbol| Some((symbol.file()?, symbol.line()?))) {
            let _ = write!(text, " ({file}:{line})");
        }
    }
    text
}

fn name(frame: &FrameInfo) -> String {
    let symbol = frame.symbols().first().and_then(|symbol| symbol.name());
    let raw = symbol.or(frame.func_name()).unwrap_or("a function without a name");
    // Without the hash of the compiler.
    one_line(&format!("{:#}", rustc_demangle::demangle(raw)))
}

/// Whether the innermost frames are few functions that call each other without end. A compiled guest keeps a stack in its
/// memory, and leaves the memory before the engine's own stack is full.
fn is_endless(error: &wasmtime::Error) -> bool {
    const FEW: usize = 3;
    let Some(backtrace) = error.downcast_ref::<WasmBacktrace>() else {
        return false;
    };
    let frames = backtrace.frames();
    let names: HashSet<String> = frames.iter().take(MAX_FRAMES).map(name).collect();
    frames.len() >= MAX_FRAMES && names.len() <= FEW
}

/// Whether the guest ended itself, as one does that gets no memory.
fn ended_itself(error: &wasmtime::Error) -> bool {
    let trap = error.downcast_ref::<Trap>();
    matches!(trap, Some(Trap::UnreachableCodeReached | Trap::MemoryOutOfBounds))
}

fn reason(error: &wasmtime::Error, state: &State) -> String {
    let trap = error.downcast_ref::<Trap>();
    if state.memory.refused && ended_itself(error) {
        return format!("used up its {} MiB of memory", state.memory.limit >> 20);
    }
    match (&state.call.panicked, trap) {
        (Some(panic), Some(Trap::UnreachableCodeReached)) => panic.clone(),
        (_, Some(Trap::StackOverflow)) => "used up its stack".to_owned(),
        (_, Some(Trap::MemoryOutOfBounds)) if is_endless(error) => "used up its stack".to_owned(),
        (_, Some(trap)) => format!("trapped: {trap}"),
        (_, None) => one_line(&error.root_cause().to_string()),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `5,000`.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_says_how_long_and_what() {
        let ms = Duration::from_millis;
        let text = |what: OutOfTime, deadline, in_sql| what.text(ms(deadline), ms(in_sql));
        assert_eq!(
            text(OutOfTime::Waiting, 5_000, 4_000),
            "ran 5,000 ms, most of it in SQL"
        );
        assert_eq!(
            text(OutOfTime::Computing(" | at f".into()), 250, 0),
            "ran 250 ms, computing at the end | at f"
        );
        assert_eq!(
            text(OutOfTime::Waiting, 250, 0),
            "ran 250 ms, waiting for the server at the end"
        );
        assert_eq!(
            text(OutOfTime::Queued, 250, 0),
            "ran 250 ms, waiting for its turn among long calls at the end"
        );
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
