//! The way out, with servers on this machine: what is declared is called, and nothing else of it.

mod redirects;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ygg_outbound::{ANSWER_BYTES, Error, HeaderMap, Looked, Lookup, Method, Outbound, Request, Url};
use ygg_testkit::{Received, Receiver, answer};

pub fn outbound(allowed: &[String]) -> Outbound {
    Outbound::new(allowed.iter().map(|allowed| allowed.parse().expect("a host")).collect())
}

pub fn post(url: &str) -> Request {
    let url = Url::parse(url).expect("an address");
    Request { method: Method::POST, url, headers: HeaderMap::new(), body: b"said".to_vec() }
}

pub fn fine(_: &Received) -> Option<String> {
    Some(answer("200 OK", "set-cookie: a=b", "heard"))
}

/// Every name leads to one address; how often it was asked.
struct Fixed(SocketAddr, Arc<AtomicUsize>);

impl Lookup for Fixed {
    fn lookup<'a>(&'a self, _: &'a str, _: u16) -> Looked<'a> {
        self.1.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move { Ok(vec![self.0]) })
    }
}

#[tokio::test]
async fn a_declared_host_is_called_and_answers() {
    let receiver = Receiver::start(fine);
    let outbound = outbound(&[format!("127.0.0.1:{}", receiver.port)]);
    for _ in 0..2 {
        let told = outbound
            .call(post(&format!("http://127.0.0.1:{}/hook?a=1", receiver.port)))
            .await
            .expect("an answer");
        assert_eq!((told.status, told.body.as_slice()), (200, b"heard".as_slice()));
    }
    let seen = receiver.seen();
    assert_eq!((seen[0].line.as_str(), seen[0].text().as_str()), ("POST /hook?a=1 HTTP/1.1", "said"));
    assert_eq!(seen[1].header("cookie"), None, "nothing is kept from one call to the next");
    assert!(seen[0].header("user-agent").is_some_and(|agent| agent.starts_with("ygg/")));
}

#[tokio::test]
async fn nobody_connects_to_what_is_not_declared() {
    let receiver = Receiver::start(fine);
    let port = receiver.port;
    let elsewhere = outbound(&["hooks.internal".to_owned(), format!("127.0.0.1:{}", port ^ 1)]);
    for url in [
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://LOCALHOST.:{port}/"),
        format!("http://[::1]:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://0x7f.1:{port}/"),
        format!("http://0177.0.0.1:{port}/"),
        format!("http://0:{port}/"),
        format!("https://127.0.0.1:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://[fd00:ec2::254]/".to_owned(),
    ] {
        let refused = elsewhere.call(post(&url)).await.expect_err(&url);
        assert!(matches!(refused, Error::Private { .. } | Error::Unresolved { .. }), "{url}: {refused}");
    }
    assert_eq!(receiver.connections(), 0);
}

#[tokio::test]
async fn a_name_is_looked_up_once_and_the_connection_goes_where_it_was_found() {
    let receiver = Receiver::start(fine);
    let asked = Arc::<AtomicUsize>::default();
    let address = SocketAddr::from(([127, 0, 0, 1], receiver.port));
    let url = format!("http://hooks.example:{}/", receiver.port);
    let here = outbound(&["hooks.example".to_owned()]).with_lookup(Fixed(address, Arc::clone(&asked)));
    assert_eq!(here.call(post(&url)).await.expect("an answer").status, 200);
    assert_eq!(asked.load(Ordering::SeqCst), 1, "between looking and connecting nothing can change");
    assert_eq!(receiver.seen()[0].header("host"), Some(format!("hooks.example:{}", receiver.port).as_str()));
    // A public name that leads into this machine.
    let strange = outbound(&[]).with_lookup(Fixed(address, asked));
    let refused = strange.call(post(&url)).await.expect_err("it is private");
    assert!(matches!(&refused, Error::Private { host } if host == "hooks.example"), "{refused}");
    assert_eq!(receiver.connections(), 1);
}

#[tokio::test]
async fn only_web_addresses_without_credentials_are_called() {
    let all = outbound(&["example.com".to_owned()]);
    for url in [
        "ftp://example.com/",
        "file:///etc/passwd",
        "data:text/plain,x",
        "unix:/run/x",
        "http://ana@example.com/",
        "http://ana:secret@example.com/",
        "https://:secret@example.com/",
    ] {
        let refused = all.call(post(url)).await.expect_err(url);
        assert!(matches!(refused, Error::Address(_)), "{url}: {refused}");
        assert!(!refused.to_string().contains("secret"), "{refused}");
        assert!(all.check(&Url::parse(url).expect("an address")).is_err(), "{url}");
    }
    let told = all.check(&Url::parse("http://10.0.0.1/").expect("an address"));
    assert!(matches!(told, Err(Error::Private { .. })));
    assert!(all.check(&Url::parse("https://hooks.example/x").expect("an address")).is_ok());
}

#[tokio::test]
async fn an_answer_has_a_size_and_a_time() {
    for (bytes, fits) in [(ANSWER_BYTES, true), (ANSWER_BYTES + 1, false)] {
        let receiver = Receiver::start(move |_| Some(answer("200 OK", "", &"x".repeat(bytes))));
        let outbound = outbound(&["127.0.0.1".to_owned()]);
        let told = outbound.call(post(&format!("http://127.0.0.1:{}/", receiver.port))).await;
        match told {
            Ok(told) => assert!(fits && told.body.len() == bytes, "{bytes}"),
            Err(error) => assert!(!fits && matches!(error, Error::TooLarge), "{bytes}: {error}"),
        }
    }
}

/// Time stands still but for what is waited for, so nobody waits ten seconds.
#[tokio::test(start_paused = true)]
async fn whoever_does_not_answer_is_given_up() {
    let receiver = Receiver::start(|_| None);
    let outbound = outbound(&["127.0.0.1".to_owned()]);
    let told = outbound.call(post(&format!("http://127.0.0.1:{}/secret-path", receiver.port))).await;
    let error = told.expect_err("nobody answers");
    assert!(matches!(error, Error::TimedOut), "{error}");
}

#[tokio::test]
async fn an_error_does_not_tell_the_address() {
    let gone = Receiver::start(fine).port;
    let closed =
        std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    assert_ne!(gone, closed);
    let outbound = outbound(&["127.0.0.1".to_owned()]);
    let error =
        outbound.call(post(&format!("http://127.0.0.1:{closed}/secret-path"))).await.expect_err("closed");
    assert!(
        !error.to_string().contains("secret-path") && !format!("{error:?}").contains("secret-path"),
        "{error:?}"
    );
    assert!(error.to_string().contains("nobody answers there"), "{error}");
}
