//! Work for a change of plugins that is done beside plugins that serve, such as reading and compiling one: on threads that give
//! way to requests. What calls wait for, such as migrations, is not done here.

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::runtime::Handle;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::storage::priority::{LOW, give_way};

/// Runs blocking work. With `serving`, when plugins serve, it gives way to their requests, and so does the compiler.
pub fn spawn<T: Send + 'static>(serving: bool, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    let runtime = Handle::current();
    spawn_blocking(move || match giving_way(serving) {
        Some(threads) => threads.install(|| {
            let _runtime = runtime.enter();
            work()
        }),
        None => work(),
    })
}

/// Threads for one piece of work: a thread that gave way once cannot take it back. The compiler uses all of them.
fn giving_way(serving: bool) -> Option<ThreadPool> {
    if !serving {
        return None;
    }
    let threads = ThreadPoolBuilder::new()
        .thread_name(|number| format!("change-{number}"))
        .start_handler(|_| give_way(LOW))
        .build();
    threads
        .inspect_err(|error| tracing::warn!("a change of plugins takes as much time as requests: {error}"))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn it_gives_way_while_plugins_serve_and_only_then() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        let compiles = move || {
            Handle::current();
            rayon::join(niceness, niceness)
        };
        let given = LOW.max(before);
        assert_eq!(spawn(true, compiles).await.unwrap(), (given, given));
        assert_eq!(spawn(false, niceness).await.unwrap(), before);
    }

    #[tokio::test]
    async fn a_panic_ends_its_work_alone() {
        let panics = || -> () { panic!("on purpose") };
        assert!(spawn(true, panics).await.unwrap_err().is_panic());
        assert_eq!(spawn(true, || 7).await.unwrap(), 7);
    }
}
