//! Ports for servers whose addresses must be known before they start.

use std::net::TcpListener;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where they come from: below those that the system gives to connections, which would take one before its server does.
const PORTS: Range<u16> = 20_000..32_000;

/// A port that was free a moment ago.
pub fn free_port() -> u16 {
    let [port] = free_ports();
    port
}

/// Different ports that were free a moment ago. A process is given each port once.
pub fn free_ports<const N: usize>() -> [u16; N] {
    [(); N].map(|()| {
        let mut ports = (0..PORTS.len()).map(|_| next());
        let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
        ports.find(is_free).expect("a free port")
    })
}

/// The next one. Test programs begin at different ones.
fn next() -> u16 {
    static FIRST: OnceLock<u64> = OnceLock::new();
    static COUNT: AtomicU16 = AtomicU16::new(0);
    let first = FIRST.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::from(now.subsec_nanos()) + u64::from(std::process::id())
    });
    let count = u64::from(COUNT.fetch_add(1, Ordering::Relaxed));
    let ports = PORTS.len() as u64;
    // Less than the length of a range of ports.
    PORTS.start + ((first + count) % ports) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_free_and_different() {
        let [one, two, three] = free_ports();
        assert!(one != two && two != three && three != one);
        let held = TcpListener::bind(("127.0.0.1", one)).unwrap();
        assert!(PORTS.contains(&held.local_addr().unwrap().port()));
    }
}
