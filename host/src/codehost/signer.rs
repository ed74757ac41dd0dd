//! The app's key, and JSON web tokens signed with it (RFC 7519, RS256).
//!
//! The signature is made by ring, whose time does not depend on the key. The `rsa` crate's does (RUSTSEC-2023-0071).

use data_encoding::BASE64URL_NOPAD;
use rustls::SignatureScheme;
use rustls::crypto::ring::sign::any_supported_type;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use rustls::sign::Signer as Scheme;
use serde_json::{Value, json};

/// Signs claims for the code host.
pub struct Signer(Box<dyn Scheme>);

impl Signer {
    /// The signer of an RSA key of 2,048 to 4,096 bits in PEM form, PKCS #1 or PKCS #8; `None` for anything else.
    pub fn from_pem(pem: &str) -> Option<Self> {
        // Environment files indent their lines.
        let lines: Vec<&str> = pem.lines().map(str::trim).collect();
        let key = PrivateKeyDer::from_pem_slice(lines.join("\n").as_bytes()).ok()?;
        let key = any_supported_type(&key).ok()?;
        // A key of another kind has no such scheme.
        Some(Self(key.choose_scheme(&[SignatureScheme::RSA_PKCS1_SHA256])?))
    }

    /// The signed token; `Err` when the system gives no randomness, which blinds the key.
    pub fn sign(&self, claims: &Value) -> Result<String, rustls::Error> {
        let header = json!({ "typ": "JWT", "alg": "RS256" });
        let [header, claims] = [&header, claims].map(|part| BASE64URL_NOPAD.encode(part.to_string().as_bytes()));
        let signed = format!("{header}.{claims}");
        let signature = self.0.sign(signed.as_bytes())?;
        Ok(format!("{signed}.{}", BASE64URL_NOPAD.encode(&signature)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_key_is_refused() {
        for pem in [
            "",
            "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n",
            "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        ] {
            assert!(Signer::from_pem(pem).is_none(), "{pem}");
        }
    }
}
