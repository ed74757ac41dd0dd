//! The process's limit of open files.

use rustix::process::{Resource, getrlimit, setrlimit};

/// With fewer descriptors a busy server runs out: each connection takes one, and so does each database's reader.
const FEW: u64 = 8_192;

/// Raises the limit to what the system allows this process. Shells and service managers start programs with 1,024,
/// for the sake of programs that use `select`; a thousand open streams would be the end of that.
pub fn raise() {
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        limit.current = limit.maximum;
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::warn!("the limit of open files cannot be raised: {error}");
        }
    }
    // `None` is unlimited.
    let current = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    if current < FEW {
        tracing::warn!("this process may open {current} files only: allow it more (ulimit -n, LimitNOFILE)");
    }
}
