//! Memory that is free, and that the allocator keeps for later.

/// Gives it back to the system. Loading plugins needs much for a moment, on many threads, each of which keeps its own; what
/// serves afterwards needs little of it. Where the C library cannot do this, nothing happens.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code, reason = "a function of the C library without any conditions")]
    // SAFETY: it may be called at any time, on any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}
