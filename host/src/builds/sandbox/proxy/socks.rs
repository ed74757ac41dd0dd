//! Asking a SOCKS proxy for a connection (RFC 1928), with a user and a password where it wants them (RFC 1929).

use std::io;
use std::net::IpAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::stream::Duplex;

const VERSION: u8 = 5;
const NO_CREDENTIAL: u8 = 0;
const USER_AND_PASSWORD: u8 = 2;
const CREDENTIAL_VERSION: u8 = 1;
const CONNECT: u8 = 1;
const IPV4: u8 = 1;
const NAME: u8 = 3;
const IPV6: u8 = 4;

/// Why the proxy does not connect.
#[derive(Debug, thiserror::Error)]
pub enum SocksError {
    /// It said nothing, or something else.
    #[error("gives no answer: {0}")]
    Io(#[from] io::Error),
    /// It does not speak version 5.
    #[error("does not speak SOCKS 5")]
    OtherProtocol,
    /// It wants another credential, or refuses this one.
    #[error("refuses the credentials that it was given")]
    Credential,
    /// It does not connect to this server.
    #[error("refuses the server ({})", reason(*.0))]
    Refused(u8),
    /// A name or credential that has no room in the protocol.
    #[error("cannot be asked: a name, user or password of more than 255 bytes")]
    TooLong,
}

/// What the proxy's reply means.
fn reason(reply: u8) -> &'static str {
    match reply {
        2 => "not allowed by its rules",
        3 => "network unreachable",
        4 => "host unreachable",
        5 => "connection refused",
        6 => "out of time",
        8 => "this kind of address is not supported",
        _ => "failure",
    }
}

/// Where to connect to.
#[derive(Debug, Clone, Copy)]
pub enum Target<'t> {
    /// An address.
    Address(IpAddr),
    /// A name, which the proxy looks up.
    Name(&'t str),
}

/// Asks for a connection. Afterwards the stream leads to the server.
pub async fn connect(
    stream: &mut impl Duplex,
    credential: Option<(&str, &str)>,
    target: Target<'_>,
    port: u16,
) -> Result<(), SocksError> {
    let methods: &[u8] = match credential {
        None => &[VERSION, 1, NO_CREDENTIAL],
        Some(_) => &[VERSION, 2, NO_CREDENTIAL, USER_AND_PASSWORD],
    };
    stream.write_all(methods).await?;
    let [version, method] = read(stream).await?;
    match (version, method, credential) {
        (VERSION, NO_CREDENTIAL, _) => {}
        (VERSION, USER_AND_PASSWORD, Some((user, password))) => {
            let mut asked = vec![CREDENTIAL_VERSION];
            push_text(&mut asked, user)?;
            push_text(&mut asked, password)?;
            stream.write_all(&asked).await?;
            let [_, status] = read(stream).await?;
            if status != 0 {
                return Err(SocksError::Credential);
            }
        }
        (VERSION, ..) => return Err(SocksError::Credential),
        _ => return Err(SocksError::OtherProtocol),
    }
    let mut asked = vec![VERSION, CONNECT, 0];
    match target {
        Target::Address(IpAddr::V4(address)) => {
            asked.push(IPV4);
            asked.extend(address.octets());
        }
        Target::Address(IpAddr::V6(address)) => {
            asked.push(IPV6);
            asked.extend(address.octets());
        }
        Target::Name(name) => {
            asked.push(NAME);
            push_text(&mut asked, name)?;
        }
    }
    asked.extend(port.to_be_bytes());
    stream.write_all(&asked).await?;
    let [version, reply, _, kind] = read(stream).await?;
    if version != VERSION {
        return Err(SocksError::OtherProtocol);
    }
    if reply != 0 {
        return Err(SocksError::Refused(reply));
    }
    // The address that it connected from, which nobody needs; then its port.
    let length = match kind {
        IPV4 => 4,
        IPV6 => 16,
        NAME => usize::from(read::<1>(stream).await?[0]),
        _ => return Err(SocksError::OtherProtocol),
    };
    let mut unused = [0; 255 + 2];
    stream.read_exact(&mut unused[..length + 2]).await?;
    Ok(())
}

async fn read<const LENGTH: usize>(stream: &mut impl Duplex) -> io::Result<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    stream.read_exact(&mut bytes).await?;
    Ok(bytes)
}

/// A text behind its length.
fn push_text(bytes: &mut Vec<u8>, text: &str) -> Result<(), SocksError> {
    bytes.push(u8::try_from(text.len()).map_err(|_| SocksError::TooLong)?);
    bytes.extend(text.as_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks a proxy that says `answer`; the answer is what it was asked, and the outcome.
    async fn ask(
        answer: &[u8],
        credential: Option<(&str, &str)>,
        target: Target<'_>,
    ) -> (Vec<u8>, Result<(), SocksError>) {
        let (mut client, mut proxy) = tokio::io::duplex(1 << 10);
        proxy.write_all(answer).await.unwrap();
        let ended = connect(&mut client, credential, target, 443).await;
        drop(client);
        let mut asked = Vec::new();
        proxy.read_to_end(&mut asked).await.unwrap();
        (asked, ended)
    }

    #[tokio::test]
    async fn a_name_is_looked_up_by_the_proxy() {
        let (asked, ended) = ask(&[5, 0, 5, 0, 0, 1, 1, 2, 3, 4, 0, 80], None, Target::Name("a.test")).await;
        ended.unwrap();
        assert_eq!(asked, b"\x05\x01\x00\x05\x01\x00\x03\x06a.test\x01\xbb");
    }

    #[tokio::test]
    async fn a_credential_is_shown_to_who_wants_it() {
        let address = Target::Address([192, 0, 2, 1].into());
        let answer = [5, 2, 1, 0, 5, 0, 0, 3, 1, b'x', 0, 80];
        let (asked, ended) = ask(&answer, Some(("ann", "secret")), address).await;
        ended.unwrap();
        assert_eq!(
            asked,
            b"\x05\x02\x00\x02\x01\x03ann\x06secret\x05\x01\x00\x01\xc0\x00\x02\x01\x01\xbb"
        );
        let (asked, ended) = ask(&[5, 2, 1, 1], Some(("ann", "wrong")), address).await;
        assert!(matches!(ended, Err(SocksError::Credential)) && asked.ends_with(b"wrong"));
        assert!(matches!(
            ask(&[5, 255], None, address).await.1,
            Err(SocksError::Credential)
        ));
    }

    #[tokio::test]
    async fn what_is_refused_is_named_and_what_is_no_socks_too() {
        let target = Target::Address("2001:db8::1".parse().unwrap());
        let refused = ask(&[5, 0, 5, 5, 0, 1], None, target).await.1.unwrap_err();
        assert!(refused.to_string().contains("connection refused"), "{refused}");
        let http = ask(b"HTTP/1.1 400 Bad Request\r\n", None, target).await.1;
        assert!(matches!(http, Err(SocksError::OtherProtocol)));
        let long = "a".repeat(256);
        let ended = ask(&[5, 0], None, Target::Name(&long)).await.1;
        assert!(matches!(ended, Err(SocksError::TooLong)));
    }
}
