//! Signed requests: `X-Hub-Signature-256` holds the HMAC-SHA256 of the raw body, made with a shared secret.

use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, StatusCode};
use sha2::Sha256;

use super::error::ApiError;
use crate::config::{Config, Secret};
use crate::plugins::manifest::Guard;

const HEADER: &str = "x-hub-signature-256";

/// The signature of a request, not yet compared with its body.
pub struct Signature {
    secret: Secret,
    claimed: [u8; 32],
}

impl Signature {
    /// Reads the signature from the headers: exactly one, in exactly the documented form. 503 with the guard's message while
    /// no secret is configured.
    pub fn claimed(config: &Config, guard: &Guard, headers: &HeaderMap) -> Result<Self, ApiError> {
        let Some(secret) = config.webhook_secret.clone() else {
            let message = guard.message.clone();
            let message = message.unwrap_or_else(|| "Signed requests are not configured".to_owned());
            return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message));
        };
        let mut values = headers.get_all(HEADER).iter();
        let claimed = match (values.next(), values.next()) {
            (Some(value), None) => parse(value.as_bytes()),
            _ => None,
        };
        let claimed = claimed.ok_or_else(refused)?;
        Ok(Self { secret, claimed })
    }

    /// Refuses a body that was not signed with the secret. The comparison takes constant time.
    pub fn check(&self, body: &[u8]) -> Result<(), ApiError> {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.secret.expose().as_bytes()).map_err(|_| refused())?;
        mac.update(body);
        mac.verify_slice(&self.claimed).map_err(|_| refused())
    }
}

fn refused() -> ApiError {
    let message = "The request is not signed with this server's secret: X-Hub-Signature-256 is missing or wrong";
    ApiError::new(StatusCode::UNAUTHORIZED, message)
}

/// `sha256=` and 64 lower-case hexadecimal digits, nothing else.
fn parse(value: &[u8]) -> Option<[u8; 32]> {
    let digits = value.strip_prefix(b"sha256=")?;
    let bytes = data_encoding::HEXLOWER.decode(digits).ok()?;
    bytes.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(secret: &str, header: &str, body: &str) -> bool {
        let Some(claimed) = parse(header.as_bytes()) else {
            return false;
        };
        let secret = Secret::new(secret.to_owned());
        Signature { secret, claimed }.check(body.as_bytes()).is_ok()
    }

    /// GitHub's published vector.
    const SECRET: &str = "It's a Secret to Everybody";
    const BODY: &str = "Hello, World!";
    const GOOD: &str = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

    #[test]
    fn published_vectors_hold() {
        assert!(holds(SECRET, GOOD, BODY));
        // RFC 4231, case 2.
        let mac = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert!(holds("Jefe", mac, "what do ya want for nothing?"));
    }

    #[test]
    fn anything_else_does_not() {
        let hex = GOOD.strip_prefix("sha256=").unwrap();
        let forged = [
            String::new(),
            hex.to_owned(),
            format!("sha1={hex}"),
            format!("SHA256={hex}"),
            format!("sha256={}", hex.to_uppercase()),
            format!("{GOOD} "),
            format!(" {GOOD}"),
            format!("{GOOD}00"),
            GOOD[..GOOD.len() - 1].to_owned(),
            GOOD[..GOOD.len() - 2].to_owned(),
            GOOD.replace('7', "8"),
            format!("sha256={}", "0".repeat(64)),
        ];
        for header in &forged {
            assert!(!holds(SECRET, header, BODY), "{header:?}");
        }
        assert!(!holds(SECRET, GOOD, "Hello, World"));
        assert!(!holds(SECRET, GOOD, "hello, World!"));
        assert!(!holds("another secret", GOOD, BODY));
    }
}
