//! Redirects: each is looked at like the first address, there are few of them, and none leaves encryption.

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use ygg_outbound::{Error, HeaderValue, Method, Request};
use ygg_testkit::{Certificates, Receiver, answer};

use crate::{fine, outbound, post};

/// Sends on to that address with that status.
fn sends_to(status: &'static str, url: String) -> Receiver {
    Receiver::start(move |_| Some(answer(status, &format!("location: {url}"), "")))
}

fn here(receiver: &Receiver) -> String {
    format!("http://127.0.0.1:{}/", receiver.port)
}

#[tokio::test]
async fn a_redirect_into_a_private_network_is_not_followed() {
    let hidden = Receiver::start(fine);
    let first = sends_to("307 Temporary Redirect", here(&hidden));
    let outbound = outbound(&[format!("127.0.0.1:{}", first.port)]);
    let refused = outbound.call(post(&here(&first))).await.expect_err("it is private");
    assert!(matches!(refused, Error::Private { .. }), "{refused}");
    assert_eq!((first.connections(), hidden.connections()), (1, 0));
}

#[tokio::test]
async fn three_are_followed_and_a_fourth_is_not() {
    let last = Receiver::start(fine);
    let all = outbound(&["127.0.0.1".to_owned()]);
    let third = sends_to("308 Permanent Redirect", here(&last));
    let second = sends_to("307 Temporary Redirect", here(&third));
    let first = sends_to("307 Temporary Redirect", here(&second));
    let told = all.call(post(&here(&first))).await.expect("an answer");
    assert_eq!((told.status, last.seen()[0].text().as_str()), (200, "said"), "the body comes along");
    let one_more = sends_to("307 Temporary Redirect", here(&first));
    let refused = all.call(post(&here(&one_more))).await.expect_err("too many");
    assert!(matches!(refused, Error::Redirects), "{refused}");
    assert_eq!(last.connections(), 1);
}

#[tokio::test]
async fn what_would_be_told_is_not_turned_into_a_question() {
    let last = Receiver::start(fine);
    let first = sends_to("302 Found", here(&last));
    let all = outbound(&["127.0.0.1".to_owned()]);
    assert_eq!(all.call(post(&here(&first))).await.expect("an answer").status, 302);
    assert_eq!(last.connections(), 0);
    let get = Request { method: Method::GET, body: Vec::new(), ..post(&here(&first)) };
    assert_eq!(all.call(get).await.expect("an answer").status, 200);
}

#[tokio::test]
async fn a_secret_header_goes_to_no_other_host() {
    let last = Receiver::start(fine);
    let first = sends_to("307 Temporary Redirect", here(&last));
    let mut request = post(&here(&first));
    let mut secret = HeaderValue::from_static("secret");
    secret.set_sensitive(true);
    request.headers.insert("x-secret", secret);
    request.headers.insert("x-open", HeaderValue::from_static("open"));
    outbound(&["127.0.0.1".to_owned()]).call(request).await.expect("an answer");
    let (first, last) = (&first.seen()[0], &last.seen()[0]);
    assert_eq!((first.header("x-secret"), first.header("x-open")), (Some("secret"), Some("open")));
    assert_eq!((last.header("x-secret"), last.header("x-open")), (None, Some("open")));
}

#[tokio::test]
async fn nothing_leaves_encryption_and_no_stranger_is_believed() {
    let certificates = Certificates::of("localhost");
    let plain = Receiver::start(fine);
    let to = here(&plain);
    let sealed = Receiver::start_tls(&certificates, move |request| match request.line.contains("/on") {
        true => Some(answer("307 Temporary Redirect", &format!("location: {to}"), "")),
        false => fine(request),
    });
    let all = || outbound(&["localhost".to_owned(), "127.0.0.1".to_owned()]);
    let mut roots = RootCertStore::empty();
    let authority = CertificateDer::from_pem_slice(certificates.authority.as_bytes()).expect("a certificate");
    roots.add(authority).expect("an authority");
    let trusting = all().trusting(roots);
    let url = format!("https://localhost:{}", sealed.port);
    assert_eq!(trusting.call(post(&format!("{url}/"))).await.expect("an answer").status, 200);
    let refused = trusting.call(post(&format!("{url}/on"))).await.expect_err("it is in the clear");
    assert!(matches!(refused, Error::Downgrade), "{refused}");
    assert_eq!(plain.connections(), 0);
    let stranger = all().trusting(RootCertStore::empty()).call(post(&format!("{url}/"))).await;
    assert!(matches!(stranger, Err(Error::Failed(_))), "{stranger:?}");
}
