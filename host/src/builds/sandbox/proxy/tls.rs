//! TLS to a proxy of the operator's network. Read when it is first needed: the system has many certificates.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use rustls::ClientConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls_platform_verifier::Verifier;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::stream::Stream;

/// What proxies are trusted.
#[derive(Default)]
pub struct Trust {
    /// A file with certificates of further authorities.
    pub certificates: Option<PathBuf>,
    made: OnceLock<Result<TlsConnector, String>>,
}

impl Trust {
    /// The system's authorities, and those of a file.
    pub fn new(certificates: Option<PathBuf>) -> Self {
        Self {
            certificates,
            made: OnceLock::new(),
        }
    }

    /// Wraps a connection to the host. The text says why the host is not trusted, or does not speak TLS.
    pub async fn connect(&self, host: &str, stream: TcpStream) -> Result<Stream, String> {
        let connector = self.made.get_or_init(|| self.make()).as_ref().map_err(String::clone)?;
        let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
        let stream = connector.connect(name, stream).await;
        stream
            .map(|stream| Box::new(stream) as Stream)
            .map_err(|error| format!("cannot be trusted: {error}"))
    }

    fn make(&self) -> Result<TlsConnector, String> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let further = match &self.certificates {
            None => Vec::new(),
            Some(file) => CertificateDer::pem_file_iter(file)
                .and_then(|found| found.collect::<Result<Vec<_>, _>>())
                .map_err(|error| format!("cannot be trusted: {}: {error}", file.display()))?,
        };
        let verifier = match further.is_empty() {
            true => Verifier::new(provider.clone()),
            false => Verifier::new_with_extra_roots(further, provider.clone()),
        };
        let failed = |error: rustls::Error| format!("cannot be trusted: {error}");
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(failed)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier.map_err(failed)?))
            .with_no_client_auth();
        Ok(TlsConnector::from(Arc::new(config)))
    }
}
