//! The request that is being answered, for what is asked of it without an argument.

use std::cell::Cell;
use std::mem::ManuallyDrop;

use crate::bindings::galley::http::types::Request;

thread_local! {
    /// The handle of the request; `None` in calls that answer none.
    static REQUEST: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Runs `answer` while `request` is the one that is being answered.
pub fn during<T>(request: &Request, answer: impl FnOnce() -> T) -> T {
    REQUEST.set(Some(request.handle()));
    let answer = answer();
    REQUEST.set(None);
    answer
}

/// A header of the request that is being answered; `None` in other calls.
#[allow(unsafe_code, reason = "the handle is borrowed anew from its number")]
pub fn header(name: &str) -> Option<String> {
    // SAFETY: the number is that of the handle that is borrowed while `during` runs. The host checks numbers: a wrong one
    // would be a trap. The second owner of the handle does not drop it.
    let request = ManuallyDrop::new(unsafe { Request::from_handle(REQUEST.get()?) });
    request.header(name)
}
