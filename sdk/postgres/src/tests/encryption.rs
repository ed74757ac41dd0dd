//! Encrypted connections to a server with a certificate of an authority of the test's own.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

use super::*;

/// An authority, and the PEM text of its certificate.
fn authority() -> (Issuer<'static, KeyPair>, String) {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let pem = params.self_signed(&key).unwrap().pem();
    (Issuer::new(params, key), pem)
}

/// A server that is known by this name.
fn server(authority: &Issuer<'static, KeyPair>, name: &str) -> Postgres {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new([name.to_owned()]).unwrap();
    let certificate = params.signed_by(&key, authority).unwrap();
    Postgres::start_with_certificate(&certificate.pem(), &key.serialize_pem())
}

async fn is_encrypted(url: &str, authorities: Option<&[u8]>) -> Result<bool, Failure> {
    let database = Database::at(Address::parse(url, authorities)?, Bounds::default());
    let sql = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    let rows = database.read(|session| session.query(sql, &[])).await?;
    Ok(rows[0][0] == Value::Integer(1))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_is_asked_for_and_checked_as_far_as_the_address_says() {
    let (authority, pem) = authority();
    let server = server(&authority, "127.0.0.1");
    let with = |mode: &str| format!("{}?sslmode={mode}", server.url());
    let asked = async |mode: &str, pem: Option<&str>| is_encrypted(&with(mode), pem.map(str::as_bytes)).await;
    assert_eq!(asked("disable", None).await, Ok(false));
    assert_eq!(is_encrypted(&server.url(), None).await, Ok(true));
    assert_eq!(asked("prefer", None).await, Ok(true));
    assert_eq!(asked("require", None).await, Ok(true));
    assert_eq!(asked("verify-full", Some(&pem)).await, Ok(true));
    // A file of authorities is never there for nothing.
    assert_eq!(asked("disable", Some(&pem)).await, Err(Failure::Address));
    let (_, of_others) = self::authority();
    for (mode, authorities) in [
        ("verify-full", None),
        ("verify-full", Some(&of_others)),
        ("require", Some(&of_others)),
    ] {
        let refused = asked(mode, authorities.map(String::as_str)).await.unwrap_err();
        let said = refused.to_string();
        assert!(
            matches!(refused, Failure::Statement(_)) && said.contains("certificate"),
            "{mode}: {said}"
        );
    }
    assert!(matches!(
        asked("require", Some("not a certificate")).await,
        Err(Failure::Statement(_))
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_is_the_named_servers() {
    let (authority, pem) = authority();
    let server = server(&authority, "db.example.org");
    let url = format!("{}?sslmode=verify-full", server.url());
    let refused = is_encrypted(&url, Some(pem.as_bytes())).await.unwrap_err();
    assert!(refused.to_string().contains("certificate"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_encrypt_is_refused_where_it_has_to() {
    let server = Postgres::start();
    assert_eq!(is_encrypted(&server.url(), None).await, Ok(false));
    let refused = is_encrypted(&format!("{}?sslmode=require", server.url()), None)
        .await
        .unwrap_err();
    assert!(
        matches!(&refused, Failure::Statement(said) if said.contains("TLS")),
        "{refused:?}"
    );
}
