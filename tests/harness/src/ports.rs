//! Ports for servers whose addresses must be known before they start.

use std::net::TcpListener;

/// A port that was free a moment ago.
pub fn free_port() -> u16 {
    let [port] = free_ports();
    port
}

/// Different ports that were free a moment ago.
pub fn free_ports<const N: usize>() -> [u16; N] {
    // All are held until the last is known: otherwise one could be given twice.
    let held = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    held.map(|listener| listener.local_addr().expect("it is bound").port())
}
