//! How long a client may take for the head of a request: a timer for each connection, not one for each head.
//!
//! hyper makes a timer when it begins to wait for a head, and drops it when the head is there. With a timer of the
//! runtime that is an entry in the runtime's list and out of it again, under its lock, for every request. Here the
//! entry stays, and is only set to later, which takes no lock.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};
use parking_lot::Mutex;

/// The timer of one connection. Of what it gives out, only the last is in use.
#[derive(Clone)]
pub struct HeadTimer(Arc<Mutex<Pin<Box<tokio::time::Sleep>>>>);

/// One wait.
struct Wait {
    timer: HeadTimer,
    until: tokio::time::Instant,
}

impl HeadTimer {
    /// A timer for a connection that begins. Needs a runtime.
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(Box::pin(tokio::time::sleep_until(
            tokio::time::Instant::now(),
        )))))
    }
}

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Wait {
            timer: self.clone(),
            until: deadline.into(),
        })
    }

    fn now(&self) -> Instant {
        tokio::time::Instant::now().into()
    }
}

impl Future for Wait {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut sleep = self.timer.0.lock();
        if sleep.deadline() != self.until {
            sleep.as_mut().reset(self.until);
        }
        sleep.as_mut().poll(context)
    }
}

impl Sleep for Wait {}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use http::{Request, Response};
    use hyper::body::Incoming;
    use hyper::server::conn::http1;
    use hyper::service::service_fn;
    use hyper_util::rt::TokioIo;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// More than any machine needs for what these tests wait for.
    const TEST_TIMEOUT: Duration = Duration::from_secs(60);

    async fn within<T>(wait: impl Future<Output = T>) -> T {
        tokio::time::timeout(TEST_TIMEOUT, wait)
            .await
            .expect("it takes too long")
    }

    #[tokio::test]
    async fn each_wait_ends_at_its_own_time() {
        let timer = HeadTimer::new();
        let short = Duration::from_millis(20);
        let is_over = |wait: &mut Pin<Box<dyn Sleep>>| {
            wait.as_mut()
                .poll(&mut Context::from_waker(std::task::Waker::noop()))
                .is_ready()
        };
        // Over or not: the machine may be busy.
        let _ = is_over(&mut timer.sleep(short));
        let mut later = timer.sleep(TEST_TIMEOUT);
        assert!(!is_over(&mut later));
        tokio::time::sleep(2 * short).await;
        assert!(!is_over(&mut later), "the time of the one before it ended it");
        drop(later);
        within(timer.sleep(short)).await;
        within(timer.sleep(short)).await;
    }

    #[tokio::test]
    async fn an_answer_has_longer_than_a_head_and_a_connection_ends_without_the_next() {
        let head = Duration::from_millis(50);
        let (mut client, server) = tokio::io::duplex(4096);
        let slow = service_fn(move |_: Request<Incoming>| async move {
            tokio::time::sleep(4 * head).await;
            Ok::<_, Infallible>(Response::new("slow".to_owned()))
        });
        let connection = http1::Builder::new()
            .timer(HeadTimer::new())
            .header_read_timeout(head)
            .serve_connection(TokioIo::new(server), slow);
        let connection = tokio::spawn(connection);
        let mut said = String::new();
        client.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
        within(client.read_to_string(&mut said)).await.unwrap();
        assert!(said.starts_with("HTTP/1.1 200 ") && said.ends_with("slow"), "{said}");
        let _ = within(connection).await.unwrap();
    }

    #[tokio::test]
    async fn a_head_that_stays_unfinished_ends_the_connection() {
        let (mut client, server) = tokio::io::duplex(4096);
        let never = service_fn(|_: Request<Incoming>| async move { Ok::<_, Infallible>(Response::new(String::new())) });
        let connection = http1::Builder::new()
            .timer(HeadTimer::new())
            .header_read_timeout(Duration::from_millis(50))
            .serve_connection(TokioIo::new(server), never);
        client.write_all(b"GET / HTTP/1.1\r\nhos").await.unwrap();
        assert!(within(connection).await.is_err());
    }
}
