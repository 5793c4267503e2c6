//! TLS verification of the server: `sslmode` and `sslrootcert` by rustls.
//!
//! The driver only distinguishes disable, prefer and require; certificates and host names are
//! checked here.

use std::path::Path;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::store::postgres::login_error::LoginError;
use crate::store::postgres::settings::{Roots, Settings, SslMode};

/// Check of a server's certificate.
#[derive(Debug)]
enum Trust {
    /// No check: encrypted, with any server and any certificate, also one that cannot be read.
    Anybody,
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
        (SslMode::Disable | SslMode::Prefer, _) | (SslMode::Require, None) => Trust::Anybody,
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

fn algorithms() -> WebPkiSupportedAlgorithms {
    rustls::crypto::ring::default_provider().signature_verification_algorithms
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
            Self::Anybody => return Ok(ServerCertVerified::assertion()),
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
        if matches!(self, Self::Anybody) {
            return Ok(HandshakeSignatureValid::assertion());
        }
        verify_tls12_signature(message, cert, dss, &algorithms())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        if matches!(self, Self::Anybody) {
            return Ok(HandshakeSignatureValid::assertion());
        }
        verify_tls13_signature(message, cert, dss, &algorithms())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        algorithms().supported_schemes()
    }
}
