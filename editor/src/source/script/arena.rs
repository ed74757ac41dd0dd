//! Memory for syntax trees.
//!
//! A tree lives in an arena, and is gone when it has been read. Each thread keeps its arena for the next text: small files
//! follow each other by the hundred, and asking the system for memory would cost more than many of them.

use std::cell::Cell;

use oxc::allocator::Allocator;

/// A larger arena is given back: few files need so much, and threads wait for a while before they end.
const MAX_KEPT_BYTES: usize = 4 << 20;

thread_local! {
    static KEPT: Cell<Option<Allocator>> = const { Cell::new(None) };
}

/// Lends `work` an empty arena. What is read within `work` gets another one.
pub(super) fn with_arena<R>(work: impl FnOnce(&Allocator) -> R) -> R {
    let mut arena = KEPT.take().unwrap_or_default();
    let result = work(&arena);
    if arena.capacity() <= MAX_KEPT_BYTES {
        arena.reset();
        KEPT.set(Some(arena));
    }
    result
}
