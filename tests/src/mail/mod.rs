//! A mail server for the tests: real SMTP over TCP (RFC 5321, with AUTH PLAIN and LOGIN), that keeps what it is sent and
//! misbehaves when it is told to.
//!
//! ```no_run
//! use galley_tests::mail::MailSink;
//! use galley_tests::prelude::*;
//!
//! let sink = MailSink::start();
//! let server = sink.serves(Server::build()).start();
//! // … something that sends a mail to mo@example.com …
//! let link = sink.mail_to("mo@example.com").link("/api/v1/auth/");
//! ```

mod message;
mod session;

use std::collections::VecDeque;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::poll::eventually;
use crate::server::Build;

pub use message::Mail;

/// What a client has to sign in with.
pub const USER: &str = "galley";
/// The password.
pub const PASSWORD: &str = "the-password-of-the-mail-server";
/// Whom mails are from.
pub const FROM: &str = "Galley <review@example.com>";

/// A moment of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// When the connection was made.
    Greeting,
    /// The client signs in.
    Auth,
    /// The sender is named.
    Sender,
    /// The recipient is named.
    Recipient,
    /// The client wants to send the text.
    Data,
    /// The text was received as a whole. Whatever is answered, it is kept, as a real server may have it.
    End,
}

/// What the server does instead of saying yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Says this: a code and a text.
    Say(&'static str),
    /// Closes the connection.
    HangUp,
    /// Says nothing more, and keeps the connection open.
    Stall,
    /// Says yes, but only after this time.
    Late(Duration),
}

/// A running mail server. It ends with the test.
#[derive(Debug)]
pub struct MailSink {
    port: u16,
    state: Arc<State>,
}

/// What all sessions share.
#[derive(Debug, Default)]
struct State {
    mails: Mutex<Vec<Mail>>,
    orders: Mutex<VecDeque<(Moment, Trouble)>>,
    sessions: Mutex<Vec<TcpStream>>,
    /// How often a client signed in.
    sign_ins: Mutex<u32>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// The trouble that was ordered for this moment, once.
    fn trouble(&self, moment: Moment) -> Option<Trouble> {
        let mut orders = lock(&self.orders);
        let at = orders.iter().position(|(ordered, _)| *ordered == moment)?;
        orders.remove(at).map(|(_, trouble)| trouble)
    }
}

impl MailSink {
    /// Starts a mail server on a free port of this machine.
    pub fn start() -> MailSink {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let state = Arc::new(State::default());
        let shared = state.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if let Ok(copy) = stream.try_clone() {
                    lock(&shared.sessions).push(copy);
                }
                let state = shared.clone();
                std::thread::spawn(move || {
                    let _ = session::run(&stream, &state);
                    let _ = stream.shutdown(Shutdown::Both);
                });
            }
        });
        MailSink { port, state }
    }

    /// Its port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Makes this the mail server of a Galley to be.
    pub fn serves(&self, build: Build) -> Build {
        build
            .env("SERVICE_SMTP_HOST", "127.0.0.1")
            .env("SERVICE_SMTP_PORT", self.port.to_string())
            .env("SERVICE_SMTP_USER", USER)
            .env("SERVICE_SMTP_PASS", PASSWORD)
            .env("SERVICE_SMTP_FROM", FROM)
            .env("SERVICE_SMTP_TLS", "none")
    }

    /// Makes trouble once, the next time a session comes to this moment. Several orders for one moment wait in line.
    pub fn order(&self, moment: Moment, trouble: Trouble) {
        lock(&self.state.orders).push_back((moment, trouble));
    }

    /// Whether all ordered trouble was made.
    pub fn made_trouble(&self) -> bool {
        lock(&self.state.orders).is_empty()
    }

    /// Every mail whose text was received, oldest first, whether it was taken or not.
    pub fn mails(&self) -> Vec<Mail> {
        lock(&self.state.mails).clone()
    }

    /// How many connections there were.
    pub fn connections(&self) -> usize {
        lock(&self.state.sessions).len()
    }

    /// How often a client signed in.
    pub fn sign_ins(&self) -> u32 {
        *lock(&self.state.sign_ins)
    }

    /// Waits until so many mails were received, and gives them.
    #[track_caller]
    pub fn wait_for(&self, count: usize) -> Vec<Mail> {
        eventually(&format!("{count} mails"), || {
            Some(self.mails()).filter(|mails| mails.len() >= count)
        })
    }

    /// The mails to an address, oldest first.
    pub fn mails_to(&self, address: &str) -> Vec<Mail> {
        let mut mails = self.mails();
        mails.retain(|mail| mail.to == address);
        mails
    }

    /// Waits for so many mails to an address, and gives the latest.
    #[track_caller]
    pub fn wait_to(&self, address: &str, count: usize) -> Mail {
        eventually(&format!("{count} mails to {address}"), || {
            self.mails_to(address).into_iter().nth(count - 1)
        })
    }

    /// Waits for a mail to an address, and gives the latest.
    #[track_caller]
    pub fn mail_to(&self, address: &str) -> Mail {
        eventually(&format!("a mail to {address}"), || {
            let mails = self.mails();
            mails.into_iter().rev().find(|mail| mail.to == address)
        })
    }
}
