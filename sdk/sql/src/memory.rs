//! The memory of restricted statements.
//!
//! SQLite asks this allocator for all its memory. For a restricted statement it gives [`MAX_MEMORY`] at most, and nothing
//! once the statement's time is up. That bounds what no progress handler sees: a search of FTS5 is one step of SQLite's
//! virtual machine, and a phrase of 40,000 words in it took minutes and all memory of the machine; the aggregates of JSON
//! grow to 2 GB, whatever the bound of a value.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use rusqlite::ffi::{self, sqlite3_mem_methods};

use crate::bounds;

/// SQLite's own allocator, which this one asks.
struct System {
    allocate: unsafe extern "C" fn(c_int) -> *mut c_void,
    resize: unsafe extern "C" fn(*mut c_void, c_int) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    size: unsafe extern "C" fn(*mut c_void) -> c_int,
}

static SYSTEM: OnceLock<System> = OnceLock::new();
static IS_WATCHED: OnceLock<bool> = OnceLock::new();

/// Makes SQLite use this allocator, in the whole process; has to be called before its first connection. Answers whether it
/// does. Without it a restricted statement has all other bounds.
pub fn watch_memory() -> bool {
    *IS_WATCHED.get_or_init(install)
}

#[allow(
    unsafe_code,
    reason = "SQLite takes an allocator by its C interface only; rusqlite has no safe way to it"
)]
fn install() -> bool {
    let mut methods = sqlite3_mem_methods {
        xMalloc: None,
        xFree: None,
        xRealloc: None,
        xSize: None,
        xRoundup: None,
        xInit: None,
        xShutdown: None,
        pAppData: std::ptr::null_mut(),
    };
    // SAFETY: the argument of this option is a pointer to such a struct, which SQLite fills. Once SQLite has been used, it
    // refuses and does nothing.
    if unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_GETMALLOC, &raw mut methods) } != ffi::SQLITE_OK {
        return false;
    }
    let (Some(malloc), Some(realloc), Some(release), Some(measure)) =
        (methods.xMalloc, methods.xRealloc, methods.xFree, methods.xSize)
    else {
        return false;
    };
    let system = System {
        allocate: malloc,
        resize: realloc,
        free: release,
        size: measure,
    };
    if SYSTEM.set(system).is_err() {
        return false;
    }
    methods.xMalloc = Some(allocate);
    methods.xRealloc = Some(resize);
    methods.xFree = Some(free);
    take_pages_one_by_one();
    // SAFETY: SQLite copies the struct. Its functions are those of SQLite's own allocator, and those below, which ask them.
    // Without statistics of its memory (the second option, a number) SQLite does not hold one lock for the whole process
    // around each of its allocations: a slow statement that loses its turn there would hold up everybody.
    unsafe {
        ffi::sqlite3_config(ffi::SQLITE_CONFIG_MALLOC, &raw mut methods) == ffi::SQLITE_OK
            && ffi::sqlite3_config(ffi::SQLITE_CONFIG_MEMSTATUS, 0 as c_int) == ffi::SQLITE_OK
    }
}

/// Lets a connection take memory for its pages one by one. SQLite would take 20 of them with the first one, 73 KiB that most
/// connections never fill, and a server has two for each slot. Where SQLite refuses, only memory is lost.
#[allow(
    unsafe_code,
    reason = "an option of SQLite's C interface; rusqlite has no safe way to it"
)]
fn take_pages_one_by_one() {
    let none = std::ptr::null_mut::<c_void>();
    // SAFETY: the arguments of this option are a pointer, which may be null, and two numbers. Once SQLite has been used, it
    // refuses and does nothing.
    unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_PAGECACHE, none, 0 as c_int, 0 as c_int) };
}

/// Memory for SQLite; null when the thread's statement may not have it, which SQLite answers with "out of memory".
#[allow(unsafe_code, reason = "called by SQLite")]
unsafe extern "C" fn allocate(bytes: c_int) -> *mut c_void {
    let Some(system) = SYSTEM.get() else {
        return std::ptr::null_mut();
    };
    if !bounds::may_take(bytes.into()) {
        return std::ptr::null_mut();
    }
    // SAFETY: what SQLite asked of this function, it may ask of its own. A block that is not null has a size.
    unsafe {
        let block = (system.allocate)(bytes);
        if !block.is_null() {
            bounds::note_taken((system.size)(block).into());
        }
        block
    }
}

/// The same for a block that grows or shrinks; null leaves the block as it is.
#[allow(unsafe_code, reason = "called by SQLite")]
unsafe extern "C" fn resize(block: *mut c_void, bytes: c_int) -> *mut c_void {
    let Some(system) = SYSTEM.get() else {
        return std::ptr::null_mut();
    };
    // SAFETY: as above. SQLite hands over a block of `allocate` or of this, never null.
    unsafe {
        let before = i64::from((system.size)(block));
        if !bounds::may_take(i64::from(bytes) - before) {
            return std::ptr::null_mut();
        }
        let moved = (system.resize)(block, bytes);
        if !moved.is_null() {
            bounds::note_taken(i64::from((system.size)(moved)) - before);
        }
        moved
    }
}

#[allow(unsafe_code, reason = "called by SQLite")]
unsafe extern "C" fn free(block: *mut c_void) {
    let Some(system) = SYSTEM.get() else { return };
    // SAFETY: as above.
    unsafe {
        bounds::note_taken(-i64::from((system.size)(block)));
        (system.free)(block);
    }
}
