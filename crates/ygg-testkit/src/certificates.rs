//! Certificates of nobody's: an authority that was made up, and a server that it vouches for.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

/// All in PEM.
pub struct Certificates {
    pub authority: String,
    pub certificate: String,
    pub key: String,
}

impl Certificates {
    /// For a server of that name.
    pub fn of(name: &str) -> Self {
        let key = || KeyPair::generate().expect("random numbers");
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let (authority_key, server_key) = (key(), key());
        let root = authority.self_signed(&authority_key).expect("parameters of our own");
        let issuer = Issuer::new(authority, authority_key);
        let server = CertificateParams::new([name.to_owned()]).expect("a name");
        let server = server.signed_by(&server_key, &issuer).expect("parameters of our own");
        Self { authority: root.pem(), certificate: server.pem(), key: server_key.serialize_pem() }
    }
}
