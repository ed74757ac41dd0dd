//! Encrypted connections: who may be at the other end, and the stream between the protocol and the socket.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::ClientConfig;
use rustls::RootCertStore;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, SignatureScheme};
use rustls_platform_verifier::BuilderVerifierExt;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::{TlsConnector, client};

use crate::failure::Failure;

/// Who may be at the other end.
pub(crate) enum Trust<'a> {
    /// Whoever answers: nobody reads along, but somebody else may answer.
    Anybody,
    /// Servers with a certificate of one of these authorities, as a PEM text, for the name of the address.
    Authorities(&'a [u8]),
    /// The same of an authority that the system trusts.
    System,
}

/// How connections are encrypted. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Encryption(Arc<ClientConfig>);

impl Encryption {
    pub fn new(trust: Trust<'_>) -> Result<Self, Failure> {
        let failed =
            |error: &dyn std::fmt::Display| Failure::Statement(format!("connections cannot be encrypted: {error}"));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|error| failed(&error))?;
        let config = match trust {
            Trust::Anybody => config
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(Whoever(provider))),
            Trust::Authorities(pem) => config.with_root_certificates(authorities(pem)?),
            Trust::System => config.with_platform_verifier().map_err(|error| failed(&error))?,
        };
        let mut config = config.with_no_client_auth();
        // Servers from 17 on ask for it where a connection is encrypted from its first byte.
        config.alpn_protocols = vec![b"postgresql".to_vec()];
        Ok(Self(Arc::new(config)))
    }
}

fn authorities(pem: &[u8]) -> Result<RootCertStore, Failure> {
    let unusable = |error: &dyn std::fmt::Display| {
        Failure::Statement(format!(
            "the file of authorities holds no certificates that can be read: {error}"
        ))
    };
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| unusable(&error))?;
        store.add(certificate).map_err(|error| unusable(&error))?;
    }
    match store.is_empty() {
        true => Err(unusable(&"it has none")),
        false => Ok(store),
    }
}

/// Takes every certificate; its key has to have signed the handshake all the same.
#[derive(Debug)]
struct Whoever(Arc<CryptoProvider>);

impl ServerCertVerifier for Whoever {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Why a connection is not encrypted, though the server answers.
#[derive(Debug, Error)]
pub(crate) enum TlsError {
    #[error("its certificate is not accepted ({0}): see `sslmode` of the address, and the file of authorities")]
    Refused(String),
    #[error("{0}")]
    Name(String),
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Encrypts one connection to a host.
pub(crate) struct Handshake {
    connector: TlsConnector,
    host: String,
}

impl<S> MakeTlsConnect<S> for Encryption
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type TlsConnect = Handshake;
    type Error = BoxError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, BoxError> {
        Ok(Handshake {
            connector: TlsConnector::from(self.0.clone()),
            host: host.to_owned(),
        })
    }
}

impl<S> TlsConnect<S> for Handshake
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Encrypted<S>, BoxError>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let name = ServerName::try_from(self.host).map_err(|error| TlsError::Name(error.to_string()))?;
            match self.connector.connect(name, stream).await {
                Ok(stream) => Ok(Encrypted(Box::new(stream))),
                // What TLS refuses will be refused again; a connection that ended may not be.
                Err(error) => Err(match error.get_ref().is_some_and(|cause| cause.is::<rustls::Error>()) {
                    true => TlsError::Refused(error.to_string()).into(),
                    false => error.into(),
                }),
            }
        })
    }
}

/// An encrypted connection.
pub(crate) struct Encrypted<S>(Box<client::TlsStream<S>>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_read(context, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_shutdown(context)
    }
}
