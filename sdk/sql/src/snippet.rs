//! `snippet` of FTS5, which restricted connections do not have.
//!
//! It takes the square of the hits in a document, minutes for one of 1 MiB, and neither runs a step of SQLite's virtual
//! machine meanwhile nor takes memory. The authorizer refuses its name, but FTS5 also calls it without a statement that names
//! it, as the function of the hidden column `rank`. So its place is taken.

use std::ffi::{c_char, c_int};
use std::ptr::null_mut;

use rusqlite::{Connection, Result, ffi};

use crate::bounds::failure;

const NAME: *const c_char = c"snippet".as_ptr();

/// The type of the pointer that the function `fts5` sets.
const POINTER: *const c_char = c"fts5_api_ptr".as_ptr();

/// Takes the place of the function on a connection.
#[allow(
    unsafe_code,
    reason = "FTS5 hands out the table of its functions by its C interface only"
)]
pub fn refuse(connection: &Connection) -> Result<()> {
    let mut api: *mut ffi::fts5_api = null_mut();
    let done = |code: c_int| match code {
        ffi::SQLITE_OK => Ok(()),
        code => Err(failure(code)),
    };
    // SAFETY: this is how FTS5 documents it ("Extending FTS5"): the function `fts5` stores the address of the table in the
    // pointer that is bound, which lives until the statement is finalized. The table lives as long as the connection, and
    // takes functions of this type; `unavailable` needs no data.
    unsafe {
        let mut statement = null_mut();
        let sql = c"SELECT fts5(?1)".as_ptr();
        done(ffi::sqlite3_prepare_v2(
            connection.handle(),
            sql,
            -1,
            &raw mut statement,
            null_mut(),
        ))?;
        ffi::sqlite3_bind_pointer(statement, 1, (&raw mut api).cast(), POINTER, None);
        ffi::sqlite3_step(statement);
        done(ffi::sqlite3_finalize(statement))?;
        let create = api.as_ref().and_then(|api| api.xCreateFunction);
        let create = create.ok_or_else(|| failure(ffi::SQLITE_ERROR))?;
        done(create(api, NAME, null_mut(), Some(unavailable), None))
    }
}

#[allow(unsafe_code, reason = "called by FTS5")]
unsafe extern "C" fn unavailable(
    _: *const ffi::Fts5ExtensionApi,
    _: *mut ffi::Fts5Context,
    context: *mut ffi::sqlite3_context,
    _: c_int,
    _: *mut *mut ffi::sqlite3_value,
) {
    const MESSAGE: &std::ffi::CStr = c"snippet is not available: cut the text in the plugin, or use highlight";
    // SAFETY: FTS5 hands over the context of the call; SQLite copies the message, which ends with a NUL.
    unsafe { ffi::sqlite3_result_error(context, MESSAGE.as_ptr(), -1) }
}
