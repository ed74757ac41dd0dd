//! Facts about each request that the middleware determines.

use std::net::IpAddr;

use axum::extract::{FromRequestParts, Path, Query};
use http::HeaderMap;
use http::request::Parts;
use ipnet::IpNet;
use serde::de::DeserializeOwned;

use super::error::ApiError;

/// The request's id, for the log and the `X-Request-Id` header.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// The client's address: the peer's, or the one that a trusted proxy reports.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddr(pub IpAddr);

/// The parameters of a route's path, decoded.
pub struct Params<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(params)) => Ok(Self(params)),
            Err(_) => Err(ApiError::bad_request(
                "The path holds a part that is not percent-encoded UTF-8",
            )),
        }
    }
}

/// The query's parameters.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(error) => Err(ApiError::bad_request(format!(
                "The query is not valid: {}",
                error.body_text()
            ))),
        }
    }
}

/// Whether the request came directly from a program on this machine: a loopback peer, and no sign of an untrusted proxy in
/// between.
#[derive(Debug, Clone, Copy)]
pub struct Local(pub bool);

/// Finds the client behind a connection. `X-Forwarded-For` is read from the right: each trusted proxy vouches for the
/// address it added.
pub fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> (ClientAddr, Local) {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
    let forwarded = ["x-forwarded-for", "forwarded", "x-real-ip"]
        .iter()
        .any(|name| headers.contains_key(*name));
    let mut client = peer.to_canonical();
    if is_trusted(client) {
        let hops: Vec<&str> = headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .collect();
        for hop in hops.into_iter().rev() {
            let Ok(address) = hop.trim().parse::<IpAddr>() else {
                break;
            };
            client = address.to_canonical();
            if !is_trusted(client) {
                break;
            }
        }
        return (ClientAddr(client), Local(client.is_loopback()));
    }
    (ClientAddr(client), Local(client.is_loopback() && !forwarded))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(peer: &str, forwarded: &str) -> (String, bool) {
        let mut headers = HeaderMap::new();
        if !forwarded.is_empty() {
            headers.insert("x-forwarded-for", forwarded.parse().unwrap());
        }
        let trusted = ["10.0.0.0/8".parse().unwrap()];
        let (client, local) = client(peer.parse().unwrap(), &headers, &trusted);
        (client.0.to_string(), local.0)
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(find("203.0.113.9", "1.1.1.1"), ("203.0.113.9".into(), false));
        assert_eq!(
            find("10.0.0.1", "9.9.9.9, 1.1.1.1, 10.0.0.2"),
            ("1.1.1.1".into(), false)
        );
        assert_eq!(find("10.0.0.1", ""), ("10.0.0.1".into(), false));
        assert_eq!(find("10.0.0.1", "1.1.1.1, nonsense"), ("10.0.0.1".into(), false));
    }

    #[test]
    fn local_means_no_unknown_proxy_in_between() {
        assert_eq!(find("127.0.0.1", ""), ("127.0.0.1".into(), true));
        assert_eq!(find("::ffff:127.0.0.1", ""), ("127.0.0.1".into(), true));
        assert_eq!(find("127.0.0.1", "1.1.1.1"), ("127.0.0.1".into(), false));
    }
}
