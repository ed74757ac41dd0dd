//! Servers that tests answer themselves: a port of this machine, and a thread for each connection.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::spawn;

/// Gives each connection to `serve`, in a thread of its own, until the tests end; gives the address.
///
/// # Panics
/// When no port can be had.
pub fn accept(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    let serve = Arc::new(serve);
    spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = Arc::clone(&serve);
            spawn(move || serve(stream));
        }
    });
    address
}
