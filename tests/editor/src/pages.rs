//! A prototype's pages without a dev server of a framework: what they show is what a test says, and they answer when it wants.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex};

use galley_harness::accept::accept;

/// Pages of a prototype: `/held` answers once it is let go, `/hangs` never, `/fails` with status 500, all others at once.
#[derive(Debug)]
pub struct Pages {
    /// As `http://127.0.0.1:1234`, for `--attach`.
    pub address: String,
    shown: Arc<Shown>,
}

#[derive(Debug, Default)]
struct Shown {
    body: Mutex<String>,
    is_let_go: Mutex<bool>,
    let_go: Condvar,
}

impl Pages {
    /// Pages with this body.
    pub fn start(body: &str) -> Pages {
        let shown = Arc::new(Shown::default());
        let serves = Arc::clone(&shown);
        let address = format!("http://{}", accept(move |stream| serve(stream, &serves)));
        let pages = Pages { address, shown };
        pages.show(body);
        pages
    }

    /// Another body, from the next request on.
    pub fn show(&self, body: &str) {
        body.clone_into(&mut self.shown.body.lock().expect("no test panics there"));
    }

    /// Lets `/held` answer.
    pub fn let_go(&self) {
        *self.shown.is_let_go.lock().expect("no test panics there") = true;
        self.shown.let_go.notify_all();
    }
}

fn serve(mut stream: TcpStream, shown: &Shown) {
    let Ok(copy) = stream.try_clone() else { return };
    let mut head = BufReader::new(copy).lines().map_while(Result::ok);
    let Some(first) = head.next() else { return };
    // The connection is read until the request's end: closed with something unread, the answer may be lost.
    let _ = head.find(String::is_empty);
    let path = first.split(' ').nth(1).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    let status = match path {
        "/fails" => "500 Internal Server Error",
        "/hangs" => {
            // Until the other side has had enough.
            let _ = head.next();
            return;
        }
        "/held" => {
            let is_let_go = shown.is_let_go.lock().expect("no test panics there");
            let _let_go = shown
                .let_go
                .wait_while(is_let_go, |is_let_go| !*is_let_go)
                .expect("no test panics there");
            "200 OK"
        }
        _ => "200 OK",
    };
    let body = shown.body.lock().expect("no test panics there").clone();
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Page</title></head><body>{body}</body></html>"
    );
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}",
        page.len()
    );
}
