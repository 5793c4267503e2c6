//! TLS verification of the server: `sslmode` and `sslrootcert` by rustls.
//!
//! The driver only distinguishes disable, prefer and require; certificates and host names are
//! checked here.

use std::path::Path;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::store::postgres::login_error::LoginError;
use crate::store::postgres::settings::{Roots, Settings, SslMode};

/// Check of a server's certificate.
#[derive(Debug)]
enum Trust {
    /// No check: encrypted, with any server.
    Anybody(Arc<CryptoProvider>),
    /// Signed by a trusted authority.
    Signed(Arc<WebPkiServerVerifier>),
    /// Signed by a trusted authority, and valid for this host.
    Named(Arc<WebPkiServerVerifier>),
}

/// Creates the TLS connector for a server's settings.
///
/// # Errors
/// [`LoginError::Certificates`].
pub(super) fn connector(settings: &Settings) -> Result<MakeRustlsConnect, LoginError> {
    // an error means that a provider is installed already
    let _ = rustls::crypto::ring::default_provider().install_default();
    let trust = match (settings.sslmode, &settings.roots) {
        (SslMode::Disable | SslMode::Prefer, _) | (SslMode::Require, None) => {
            Trust::Anybody(Arc::new(rustls::crypto::ring::default_provider()))
        }
        (SslMode::VerifyFull, Some(Roots::File(path))) => Trust::Named(verifier(path)?),
        // with root certificates, `require` checks the signature too, as in libpq
        (SslMode::Require | SslMode::VerifyCa, Some(Roots::File(path))) => Trust::Signed(verifier(path)?),
        (SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull, Some(Roots::System) | None) => {
            return system();
        }
    };
    let config = ClientConfig::builder().dangerous().with_custom_certificate_verifier(Arc::new(trust));
    let config = match &settings.certificate {
        None => config.with_no_client_auth(),
        Some((certificate, key)) => {
            let chain = certificates(certificate)?;
            let key = PrivateKeyDer::from_pem_file(key).map_err(|error| unusable(key, &error))?;
            config.with_client_auth_cert(chain, key).map_err(|error| unusable(certificate, &error))?
        }
    };
    Ok(MakeRustlsConnect::new(config))
}

fn system() -> Result<MakeRustlsConnect, LoginError> {
    match MakeRustlsConnect::with_native_certs() {
        Ok((connector, _)) => Ok(connector),
        Err(_) => Err(LoginError::Certificates(
            "this machine trusts no authority that could be read; name a file with sslrootcert".into(),
        )),
    }
}

fn verifier(path: &Path) -> Result<Arc<WebPkiServerVerifier>, LoginError> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        roots.add(certificate).map_err(|error| unusable(path, &error))?;
    }
    WebPkiServerVerifier::builder(Arc::new(roots)).build().map_err(|error| unusable(path, &error))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, LoginError> {
    let found: Result<Vec<_>, _> =
        CertificateDer::pem_file_iter(path).map_err(|error| unusable(path, &error))?.collect();
    let found = found.map_err(|error| unusable(path, &error))?;
    if found.is_empty() {
        return Err(unusable(path, &"it has no certificate"));
    }
    Ok(found)
}

fn unusable(path: &Path, problem: &dyn std::fmt::Display) -> LoginError {
    LoginError::Certificates(format!("{} is of no use: {problem}", path.display()))
}

impl Trust {
    fn provider(&self) -> Arc<CryptoProvider> {
        match self {
            Self::Anybody(provider) => Arc::clone(provider),
            Self::Signed(_) | Self::Named(_) => Arc::new(rustls::crypto::ring::default_provider()),
        }
    }
}

impl ServerCertVerifier for Trust {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let (verifier, named) = match self {
            Self::Anybody(_) => return Ok(ServerCertVerified::assertion()),
            Self::Signed(verifier) => (verifier, false),
            Self::Named(verifier) => (verifier, true),
        };
        // the name is checked last, so a wrong name means that everything before it was right
        match verifier.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !named => Ok(ServerCertVerified::assertion()),
            looked_at => looked_at,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = self.provider().signature_verification_algorithms;
        verify_tls12_signature(message, cert, dss, &known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = self.provider().signature_verification_algorithms;
        verify_tls13_signature(message, cert, dss, &known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider().signature_verification_algorithms.supported_schemes()
    }
}
