//! Whether a dev server that somebody else started is still there. Nothing tells the Editor of its end: it is looked for.

use std::io;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::{MissedTickBehavior, interval, timeout};

/// How often it is looked for.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// How long one look waits. A dev server that is busy takes connections all the same: its system does that for it.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Nobody answering is believed after so many looks; a refused connection at once.
const MAX_SILENT: u32 = 3;

/// What a look found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Somebody listens there.
    There,
    /// Nobody does.
    Gone,
}

/// Looks for as long as it is polled, the first time at once, and tells each change. It is taken to be there at first.
pub async fn watch(url: &url::Url, mut tell: impl FnMut(Look)) {
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
        return;
    };
    // An address of version 6 stands in brackets in a URL.
    let host = host.trim_matches(['[', ']']).to_owned();
    let mut known = Look::There;
    let mut silent = 0;
    let mut ticks = interval(CHECK_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let found = match timeout(CONNECT_TIMEOUT, TcpStream::connect((host.as_str(), port))).await {
            Ok(Ok(_)) => Some(Look::There),
            Ok(Err(error)) if error.kind() == io::ErrorKind::ConnectionRefused => Some(Look::Gone),
            Ok(Err(_)) | Err(_) => None,
        };
        silent = if found.is_none() { silent + 1 } else { 0 };
        let now = found.unwrap_or(if silent >= MAX_SILENT { Look::Gone } else { known });
        if now != known {
            known = now;
            tell(now);
        }
    }
}
