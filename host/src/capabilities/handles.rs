//! The objects a plugin holds handles to, for the length of one call.
//!
//! A plugin can keep a handle's number beyond its call. Numbers are therefore never used twice within an instance, and all
//! objects are dropped when the call ends, so that a kept handle finds nothing.

use std::any::Any;
use std::collections::HashMap;

use wasmtime::component::Resource;

/// The type of handles to the current request (`objects::Request`).
pub struct RequestHandle;

/// The type of handles to the event that is being delivered (`objects::Delivery`).
pub struct DeliveryHandle;

/// The type of handles to the job that runs (`objects::Job`).
pub struct JobHandle;

/// The type of handles to an archive that arrived (`objects::Upload`).
pub struct UploadHandle;

/// The type of handles to what an answer goes on with (`objects::Tail`).
pub struct TailHandle;

/// The type of handles to an unpacked tree (`objects::TreeEntry`).
pub struct TreeHandle;

/// The type of handles to a transaction (`transaction::Open`).
pub struct TransactionHandle;

/// The type of handles to a log (`logs::LogId`).
pub struct LogHandle;

/// Objects of the current call by their number.
#[derive(Default)]
pub struct Handles {
    last: u32,
    live: HashMap<u32, Box<dyn Any + Send>>,
}

/// The most handles a call may hold at the same time.
const MAX_LIVE: usize = 1_000;

impl Handles {
    /// Stores an object under a number that was never used before in this instance. `R` is the handle's type.
    pub fn insert<R: 'static>(&mut self, object: impl Any + Send) -> wasmtime::Result<Resource<R>> {
        if self.live.len() >= MAX_LIVE {
            return Err(wasmtime::format_err!(
                "the plugin holds more than {MAX_LIVE} handles in one call"
            ));
        }
        let number = self.number()?;
        self.live.insert(number, Box::new(object));
        Ok(Resource::new_own(number))
    }

    /// A number that was never used before in this instance, for an object that the call itself holds.
    pub fn number(&mut self) -> wasmtime::Result<u32> {
        self.last = self
            .last
            .checked_add(1)
            .ok_or_else(|| wasmtime::format_err!("the handle numbers are used up"))?;
        Ok(self.last)
    }

    /// The object behind a handle; an error (a trap) when the call that received it has ended.
    pub fn get<O: Any, R: 'static>(&mut self, handle: &Resource<R>) -> wasmtime::Result<&mut O> {
        self.live
            .get_mut(&handle.rep())
            .and_then(|object| object.downcast_mut())
            .ok_or_else(stale)
    }

    /// Takes the object out.
    pub fn take<O: Any, R: 'static>(&mut self, handle: &Resource<R>) -> wasmtime::Result<O> {
        let object = self.live.remove(&handle.rep()).ok_or_else(stale)?;
        object.downcast().map(|object| *object).map_err(|_| stale())
    }

    /// Drops the object of a handle that the guest dropped. An object that is gone already is fine.
    pub fn forget<R: 'static>(&mut self, handle: &Resource<R>) {
        self.live.remove(&handle.rep());
    }

    /// Ends the call: every object is dropped. The numbers go on.
    pub fn clear(&mut self) {
        self.live.clear();
    }

    /// How many numbers were given out so far.
    pub fn given(&self) -> u32 {
        self.last
    }
}

/// What a handle of an earlier call finds.
pub(super) fn stale() -> wasmtime::Error {
    wasmtime::format_err!("the plugin used a handle of a call that has ended")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Mark;

    #[test]
    fn a_number_is_never_used_twice() {
        let mut handles = Handles::default();
        let first: Resource<Mark> = handles.insert("first caller's").unwrap();
        let kept = first.rep();
        handles.clear();
        let second: Resource<Mark> = handles.insert("second caller's").unwrap();
        assert_ne!(second.rep(), kept);
        assert!(handles.get::<&str, _>(&Resource::<Mark>::new_borrow(kept)).is_err());
        assert_eq!(*handles.get::<&str, _>(&second).unwrap(), "second caller's");
    }

    #[test]
    fn a_handle_of_another_type_finds_nothing() {
        let mut handles = Handles::default();
        let handle: Resource<Mark> = handles.insert(1u8).unwrap();
        assert!(handles.get::<String, _>(&handle).is_err());
    }
}
