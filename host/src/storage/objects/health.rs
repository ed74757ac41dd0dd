//! Whether the store is there. One small request tells it to all who ask, and to all who wait for a store that says nothing.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use object_store::ObjectStoreExt;
use object_store::aws::AmazonS3;
use object_store::path::Path as Key;
use parking_lot::Mutex;
use tokio::runtime::Handle;

use super::error::ObjectError;

/// How long the store may take to show that it is there.
const CHECK_TIMEOUT: Duration = Duration::from_millis(1_500);
/// How long it counts as there, or as away, before it is asked again.
const CHECK_AGE: Duration = Duration::from_secs(1);
/// How long a request may be silent before the store has to show that it is there. Both together are less than the 2 s within which
/// people are answered.
const DOUBT_TIMEOUT: Duration = Duration::from_millis(300);

/// What is known of the store.
pub(super) struct Health {
    /// Where requests run.
    runtime: Handle,
    store: Arc<AmazonS3>,
    /// The object that is asked for.
    key: Key,
    /// Whether requests are given up when the store is found away.
    gives_up: AtomicBool,
    /// Held by who asks: the others wait for the same answer.
    turn: tokio::sync::Mutex<()>,
    found: Mutex<Option<(Instant, Result<(), ObjectError>)>>,
}

impl Health {
    pub fn new(runtime: Handle, store: Arc<AmazonS3>, key: Key) -> Self {
        Self {
            runtime,
            store,
            key,
            gives_up: AtomicBool::new(false),
            turn: tokio::sync::Mutex::default(),
            found: Mutex::default(),
        }
    }

    /// From now on, requests are given up when the store is found away.
    pub fn give_up_when_away(&self) {
        self.gives_up.store(true, Ordering::Relaxed);
    }

    fn gives_up(&self) -> bool {
        self.gives_up.load(Ordering::Relaxed)
    }

    /// Whether the store answers now. All who ask within a second share one request.
    pub async fn check(&self) -> Result<(), ObjectError> {
        self.check_since(Instant::now() - CHECK_AGE).await
    }

    /// Runs a request, unless the store was away a moment ago: of those who wait in line for an object only the first one finds it out.
    pub async fn run<T>(&self, request: impl Future<Output = Result<T, ObjectError>>) -> Result<T, ObjectError> {
        let begun = Instant::now();
        match self.found_since(begun - CHECK_AGE) {
            Some(Err(error)) if self.gives_up() => return Err(error),
            _ => {}
        }
        let done = request.await;
        if self.gives_up() && matches!(done, Err(ObjectError::Away(_))) {
            // For those behind it. It may be one object that the store cannot give.
            let _ = self.check_since(begun).await;
        }
        done
    }

    /// Waits for an answer of the store. While there is none, the store has to show again and again that it is there.
    pub async fn attend<T>(&self, answer: impl Future<Output = Result<T, ObjectError>>) -> Result<T, ObjectError> {
        if !self.gives_up() {
            return answer.await;
        }
        let mut answer = pin!(answer);
        loop {
            let since = Instant::now();
            tokio::select! {
                answer = &mut answer => return answer,
                () = tokio::time::sleep(DOUBT_TIMEOUT) => {}
            }
            tokio::select! {
                answer = &mut answer => return answer,
                found = self.check_since(since) => found?,
            }
        }
    }

    /// Whether the store has answered since then.
    async fn check_since(&self, since: Instant) -> Result<(), ObjectError> {
        let _turn = self.turn.lock().await;
        if let Some(found) = self.found_since(since) {
            return found;
        }
        let (store, key) = (self.store.clone(), self.key.clone());
        let asked = self.runtime.spawn(async move {
            match tokio::time::timeout(CHECK_TIMEOUT, store.head(&key)).await {
                // Whatever became of the object, the store answers.
                Ok(Ok(_) | Err(object_store::Error::NotFound { .. })) => Ok(()),
                Ok(Err(error)) => Err(error.into()),
                Err(_) => Err(ObjectError::Away("it did not answer in time".to_owned())),
            }
        });
        let asked = asked.await;
        let found = asked.unwrap_or_else(|error| Err(ObjectError::Away(error.to_string())));
        *self.found.lock() = Some((Instant::now(), found.clone()));
        found
    }

    fn found_since(&self, since: Instant) -> Option<Result<(), ObjectError>> {
        let found = self.found.lock();
        found
            .as_ref()
            .filter(|(at, _)| *at >= since)
            .map(|(_, found)| found.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener};

    use super::super::bucket::Bucket;
    use super::super::tests::config;
    use super::*;

    /// What people wait at most, and what a busy machine adds.
    const ANSWERED_WITHIN: Duration = Duration::from_secs(2);
    const BUSY_MACHINE: Duration = Duration::from_millis(1_500);

    fn giving_up(address: SocketAddr) -> Bucket {
        let bucket = Bucket::new(&config(address)).unwrap();
        bucket.give_up_when_away();
        bucket
    }

    #[track_caller]
    fn away<T: std::fmt::Debug>(asked: Result<T, ObjectError>) {
        assert!(matches!(asked, Err(ObjectError::Away(_))), "{asked:?}");
    }

    #[test]
    fn a_store_that_says_nothing_is_given_up_soon_by_all_who_wait_and_at_once_by_who_comes_then() {
        // Connections are made, and nobody takes them.
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let bucket = giving_up(silent.local_addr().unwrap());
        let folder = tempfile::tempdir().unwrap();
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (bucket, path) = (&bucket, folder.path().join(number.to_string()));
                scope.spawn(move || match number % 2 {
                    0 => away(bucket.fetch("sites/p/v.pack", &path)),
                    _ => away(bucket.exists("sites/p/v.pack")),
                });
            }
        });
        assert!(
            begun.elapsed() < ANSWERED_WITHIN + BUSY_MACHINE,
            "{:?}",
            begun.elapsed()
        );
        // One after the other, as in a line for one object.
        let begun = Instant::now();
        for _ in 0..20 {
            away(bucket.exists("sites/p/v.pack"));
        }
        away(bucket.fail_if_away());
        assert!(
            begun.elapsed() < ANSWERED_WITHIN + BUSY_MACHINE,
            "{:?}",
            begun.elapsed()
        );
    }

    #[test]
    fn a_store_that_refuses_connections_holds_no_line_up() {
        let bucket = giving_up(SocketAddr::from(([127, 0, 0, 1], galley_harness::ports::free_port())));
        away(bucket.exists("sites/p/v.pack"));
        let begun = Instant::now();
        for _ in 0..20 {
            away(bucket.exists("sites/p/v.pack"));
        }
        assert!(
            begun.elapsed() < ANSWERED_WITHIN + BUSY_MACHINE,
            "{:?}",
            begun.elapsed()
        );
    }

    #[test]
    fn a_store_that_is_there_may_take_its_time() {
        let bucket = giving_up(slow());
        let read = bucket.read("sites/p/v.pack");
        assert!(matches!(read, Err(ObjectError::NotFound)), "{read:?}");
    }

    /// The address of a store that has nothing, and takes long to say so of objects that are read.
    fn slow() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for mut client in listener.incoming().flatten() {
                std::thread::spawn(move || {
                    let (mut request, mut byte) = (Vec::new(), [0]);
                    while !request.ends_with(b"\r\n\r\n") && client.read_exact(&mut byte).is_ok() {
                        request.push(byte[0]);
                    }
                    if request.starts_with(b"GET ") {
                        std::thread::sleep(2 * ANSWERED_WITHIN);
                    }
                    let answer = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                    // Who gave up does not read it.
                    let _ = client.write_all(answer);
                });
            }
        });
        address
    }
}
