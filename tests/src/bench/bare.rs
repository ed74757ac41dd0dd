//! The least that a server of a file can be: it receives, and sends the same answer. It does not read what is asked.

use std::collections::HashMap;
use std::fs;
use std::io::{ErrorKind, IoSlice, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsRawFd, RawFd};
use std::path::Path;

use anyhow::{Result, ensure};
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};

/// More than the head of a request of `wrk`.
const MAX_HEAD: usize = 8 << 10;

/// Serves a file until it is ended, in one thread. Prints its address first.
pub fn serve(file: &Path) -> Result<()> {
    let body = fs::read(file)?;
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("http://{}", listener.local_addr()?);
    let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
    let readable = |socket: RawFd| EpollEvent::new(EpollFlags::EPOLLIN, socket as u64);
    epoll.add(&listener, readable(listener.as_raw_fd()))?;
    let mut connections: HashMap<RawFd, TcpStream> = HashMap::new();
    let mut events = [EpollEvent::empty(); 64];
    let mut request = [0; MAX_HEAD];
    loop {
        let ready = epoll.wait(&mut events, EpollTimeout::NONE)?;
        for event in &events[..ready] {
            let socket = event.data() as RawFd;
            let Some(connection) = connections.get_mut(&socket) else {
                let (connection, _) = listener.accept()?;
                connection.set_nodelay(true)?;
                epoll.add(&connection, readable(connection.as_raw_fd()))?;
                connections.insert(connection.as_raw_fd(), connection);
                continue;
            };
            match connection.read(&mut request) {
                Ok(length) if length > 0 => {
                    let sent = connection.write_vectored(&[IoSlice::new(head.as_bytes()), IoSlice::new(&body)])?;
                    ensure!(sent == head.len() + body.len(), "the answer does not fit into a socket");
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // Closing it takes it out of the events, too.
                _ => drop(connections.remove(&socket)),
            }
        }
    }
}
