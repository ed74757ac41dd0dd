//! A browser on its way from the server to the code host and back.

use std::net::SocketAddr;

use super::CodeHost;
use crate::client::{Client, Credential};
use crate::http::{Request, Response};
use crate::server::{Server, session_cookie};

/// A journey that was begun.
#[derive(Debug, Clone)]
pub struct Journey {
    /// `name=value` of the cookie the browser carries.
    pub cookie: String,
    /// Where the browser was sent: the whole address.
    pub away: String,
}

impl Journey {
    /// Opens the beginning; `query` is what follows its path, with the question mark.
    #[track_caller]
    pub fn begin(server: &Server, query: &str) -> Journey {
        let target = format!("/api/v1/auth/codehost{query}");
        let answer = page(server, &target).send().expect(303);
        let cookies = answer.all("set-cookie");
        let cookie = cookies.iter().find(|cookie| cookie.contains("galley_codehost="));
        let cookie = cookie.unwrap_or_else(|| panic!("no cookie of an attempt in {cookies:?}"));
        Journey {
            cookie: cookie.split(';').next().unwrap_or_default().to_owned(),
            away: answer.header("location").expect("a redirect").to_owned(),
        }
    }

    /// Opens the code host's page, where the person approves or denies; where the browser is sent then: the whole address.
    #[track_caller]
    pub fn decide(&self) -> String {
        let answer = open(&self.away).send().expect(302);
        answer.header("location").expect("a redirect").to_owned()
    }

    /// Comes back to the server with the cookie.
    #[track_caller]
    pub fn come_back(&self, server: &Server, address: &str) -> Response {
        arrive(server, address, Some(&self.cookie))
    }
}

impl CodeHost {
    /// Signs somebody in through the code host, all the way.
    #[track_caller]
    pub fn sign_in(&self, server: &Server, login: &str) -> Client {
        let answer = self.try_sign_in(server, login);
        let answer = answer.expect(303);
        Client::new(server.address(), Credential::Cookie(session_cookie(&answer)))
    }

    /// The same; the last answer, whatever it is.
    #[track_caller]
    pub fn try_sign_in(&self, server: &Server, login: &str) -> Response {
        self.sign_in_as(login);
        let journey = Journey::begin(server, "");
        let back = journey.decide();
        journey.come_back(server, &back)
    }
}

/// Opens an address of the server that the browser was sent to, with or without the cookie.
#[track_caller]
pub fn arrive(server: &Server, address: &str, cookie: Option<&str>) -> Response {
    let target = address.strip_prefix(&server.url());
    let target = target.unwrap_or_else(|| panic!("{address} is not on the server"));
    let request = page(server, target);
    let request = match cookie {
        Some(cookie) => request.header("cookie", cookie),
        None => request,
    };
    request.send()
}

/// A request as a browser makes it when somebody follows a link.
fn page(server: &Server, target: &str) -> Request {
    server
        .anonymous()
        .request("GET", target)
        .header("accept", "text/html,application/xhtml+xml")
        .header("sec-fetch-dest", "document")
        .header("sec-fetch-mode", "navigate")
}

fn open(address: &str) -> Request {
    let rest = address.strip_prefix("http://").expect("the double speaks plain HTTP");
    let (host, target) = rest.split_once('/').expect("a path");
    let host: SocketAddr = host.parse().expect("an address and a port");
    Request::new(host, "GET", &format!("/{target}"))
}
