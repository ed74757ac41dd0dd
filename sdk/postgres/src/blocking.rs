//! A connection for a thread without a runtime, such as a test of a plugin.

use std::sync::{Mutex, PoisonError};

use tokio::runtime::{Builder, Handle, Runtime};

use crate::bounds::Bounds;
use crate::database::Database;
use crate::failure::Failure;
use crate::session::Session;

/// Connects. The session is used on threads that may wait, and closed when it is dropped.
pub fn connect(address: &str, bounds: Bounds) -> Result<Session, Failure> {
    let database = Database::new(address, bounds)?;
    runtime()?.block_on(database.connect())
}

/// One for all sessions of the process, which is never ended.
fn runtime() -> Result<Handle, Failure> {
    static RUNTIME: Mutex<Option<Runtime>> = Mutex::new(None);
    let mut runtime = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    if runtime.is_none() {
        let made = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        *runtime = Some(made.map_err(|error| Failure::Unavailable(error.to_string()))?);
    }
    let handle = runtime.as_ref().map(|runtime| runtime.handle().clone());
    handle.ok_or_else(|| Failure::Unavailable("there is no runtime".to_owned()))
}
