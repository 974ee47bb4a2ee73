//! TLS towards PostgreSQL: what is checked of the server's certificate, and against which roots.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
    SupportedProtocolVersion,
};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{Error, Result};

pub enum Check {
    /// Encrypted, but by whom is not asked.
    Nothing,
    Chain(Roots),
    ChainAndName(Roots),
}

pub enum Roots {
    /// Those that the machine trusts.
    System,
    /// A file of certificates in PEM.
    File(String),
}

/// TLS 1.2 for servers with an old OpenSSL.
const VERSIONS: &[&SupportedProtocolVersion] = &[&rustls::version::TLS13, &rustls::version::TLS12];

pub fn connector(check: &Check) -> Result<MakeRustlsConnect> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(VERSIONS)
        .map_err(|error| unusable("TLS", error))?;
    let lenient = |chain| Arc::new(Lenient { chain, provider: Arc::clone(&provider) });
    let builder = match check {
        Check::Nothing => builder.dangerous().with_custom_certificate_verifier(lenient(None)),
        Check::Chain(roots) => {
            let chain =
                WebPkiServerVerifier::builder_with_provider(Arc::new(load(roots)?), Arc::clone(&provider))
                    .build()
                    .map_err(|error| unusable("sslrootcert", error))?;
            builder.dangerous().with_custom_certificate_verifier(lenient(Some(chain)))
        }
        Check::ChainAndName(roots) => builder.with_root_certificates(load(roots)?),
    };
    Ok(MakeRustlsConnect::new(builder.with_no_client_auth()))
}

fn load(roots: &Roots) -> Result<RootCertStore> {
    let mut store = RootCertStore::empty();
    let certificates = match roots {
        Roots::System => rustls_native_certs::load_native_certs().certs,
        Roots::File(path) => CertificateDer::pem_file_iter(path)
            .and_then(Iterator::collect)
            .map_err(|error| unusable(path, error))?,
    };
    // A machine's own collection may hold some that do not read.
    store.add_parsable_certificates(certificates);
    if store.is_empty() {
        let place = match roots {
            Roots::System => "this machine's store of certificates",
            Roots::File(path) => path,
        };
        return Err(unusable(place, "there is no certificate to check the server's against"));
    }
    Ok(store)
}

fn unusable(place: &str, problem: impl std::fmt::Display) -> Error {
    Error::Connect { to: place.to_owned(), problem: problem.to_string() }
}

/// Does not ask for the server's name, and without a chain for nothing at all.
#[derive(Debug)]
struct Lenient {
    chain: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

type Checked<T> = std::result::Result<T, rustls::Error>;

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        end: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        stapled: &[u8],
        now: UnixTime,
    ) -> Checked<ServerCertVerified> {
        let Some(chain) = &self.chain else { return Ok(ServerCertVerified::assertion()) };
        match chain.verify_server_cert(end, between, name, stapled, now) {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            checked => checked,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Checked<HandshakeSignatureValid> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Checked<HandshakeSignatureValid> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
