//! Files over HTTP: their size, their names, their headers, and what a browser may do with them [O4, O7b].

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use ygg_domain::key::{KeyKind, SecretKey};
use ygg_domain::limits;

use crate::world::{As, World};

fn put(world: &World, who: &As, query: &str) -> RequestBuilder {
    let request = world.client.post(format!("{}{}{query}", world.url, world.path("/files")));
    who.on(request.header("content-type", "application/octet-stream"), world)
}

async fn answer(request: RequestBuilder) -> (u16, Value) {
    let answer = request.send().await.expect("an answer");
    (answer.status().as_u16(), answer.json().await.expect("JSON"))
}

async fn kept(world: &World, who: &As, query: &str, content: Vec<u8>) -> String {
    let (status, view) = answer(put(world, who, query).body(content)).await;
    assert_eq!(status, 201, "{view}");
    view["id"].as_str().expect("an id").to_owned()
}

async fn fetch(world: &World, who: &As, id: &str) -> (u16, HeaderMap, Vec<u8>) {
    let request = world.client.get(format!("{}{}/{id}", world.url, world.path("/files")));
    let answer = who.on(request, world).send().await.expect("an answer");
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    (status, headers, answer.bytes().await.expect("a body").to_vec())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_comes_back_byte_for_byte_and_as_nothing_that_runs() {
    let world = World::new().await;
    let owner = As::Key(world.owner.clone());
    let every_byte: Vec<u8> = (0..=255).cycle().take(limits::FILE_BYTES).collect();
    let page = b"<script>alert(1)</script>".to_vec();
    for (name, declared, content, shown) in [
        ("all.bin", "application/octet-stream", every_byte, "application/octet-stream"),
        ("evil.html", "text/html", page.clone(), "application/octet-stream"),
        ("evil.svg", "image/svg%2Bxml", page, "application/octet-stream"),
        ("photo.png", "image/png", vec![1, 2, 3], "image/png"),
        ("empty", "text/plain", Vec::new(), "text/plain"),
    ] {
        let id = kept(&world, &owner, &format!("?name={name}&media_type={declared}"), content.clone()).await;
        let (status, headers, back) = fetch(&world, &owner, &id).await;
        assert_eq!(status, 200, "{name}");
        assert!(back == content, "{name}: {} bytes of {}", back.len(), content.len());
        let header = |name: &str| headers[name].to_str().expect("plain").to_owned();
        assert_eq!(header("content-type"), shown, "{name}");
        assert_eq!(header("content-length"), content.len().to_string());
        assert!(header("content-disposition").starts_with("attachment; filename="), "{name}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("content-security-policy"), "sandbox; default-src 'none'");
        assert_eq!(header("cache-control"), "private, no-cache");
        let tag = headers["etag"].clone();
        let url = format!("{}{}/{id}", world.url, world.path("/files"));
        let known = world.client.get(&url).bearer_auth(&world.owner).header("if-none-match", tag);
        let known = known.send().await.expect("an answer");
        assert_eq!((known.status().as_u16(), known.content_length()), (304, Some(0)), "{name}");
        let head = world.client.head(&url).bearer_auth(&world.owner).send().await.expect("an answer");
        assert_eq!(head.headers()["content-length"], content.len().to_string().as_str());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_may_be_large_and_nothing_else_may() {
    let world = World::new().await;
    let owner = As::Key(world.owner.clone());
    let (status, problem) = answer(put(&world, &owner, "").body(vec![0; limits::FILE_BYTES + 1])).await;
    assert_eq!((status, &problem["reason"]), (413, &json!("too_large")), "{problem}");
    let large = json!({"to": "@ana", "text": "x".repeat(2 * 1024 * 1024)});
    for path in ["/messages", "/conversations"] {
        let (status, _) = world.call(&world.owner, Method::POST, path, Some(large.clone())).await;
        assert_eq!(status, 413, "{path}");
    }
    let (status, _) = world.ask(&owner, "post", "/mcp", &large.to_string()).await;
    assert_eq!(status, 413);
    // Announced or not.
    let pieces = futures::stream::iter((0..12).map(|_| Ok::<_, std::io::Error>(vec![0; 1024 * 1024])));
    let (status, _) = answer(put(&world, &owner, "").body(reqwest::Body::wrap_stream(pieces))).await;
    assert_eq!(status, 413);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_are_told_and_bad_ones_refused() {
    let world = World::new().await;
    let owner = As::Key(world.owner.clone());
    let put = async |query: &[(&str, &str)]| {
        let mut url = reqwest::Url::parse(&format!("{}{}", world.url, world.path("/files"))).expect("a URL");
        url.query_pairs_mut().extend_pairs(query);
        let request = world
            .client
            .post(url)
            .bearer_auth(&world.owner)
            .header("content-type", "text/x-test; charset=utf-8");
        answer(request.body("x")).await
    };
    let (_, view) = put(&[("name", "отчёт \"1\".md")]).await;
    assert_eq!((&view["name"], &view["size"]), (&json!("отчёт \"1\".md"), &json!(1)));
    assert_eq!(view["media_type"], "text/x-test", "the request's own type, where no other is named");
    let (_, headers, _) = fetch(&world, &owner, view["id"].as_str().expect("an id")).await;
    let disposition = headers["content-disposition"].to_str().expect("plain");
    assert_eq!(
        disposition,
        "attachment; filename=\"_____ _1_.md\"; filename*=UTF-8''%D0%BE%D1%82%D1%87%D1%91%D1%82%20%221%22.md"
    );
    let (_, unnamed) = put(&[]).await;
    assert_eq!(unnamed["name"], "file");
    let key = SecretKey::new(KeyKind::Agent, [3; 32]);
    let long = "x".repeat(201);
    for name in ["../x", "a\\b", "a\nb", "a\0b", "\u{202e}gpj.exe", "a\u{200b}", "..", &long, key.expose()] {
        let (status, problem) = put(&[("name", name)]).await;
        assert_eq!((status, &problem["reason"]), (422, &json!("invalid_message")), "{name:?}: {problem}");
    }
    assert_eq!(put(&[("title", "x")]).await.0, 400, "a misspelt name is not taken for none");
    crate::logs::assert_no_key();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_of_ours_is_not_stored_in_a_file() {
    let world = World::new().await;
    let key = SecretKey::new(KeyKind::Person, [5; 32]);
    for content in
        [format!("YGG_KEY={}\n", key.expose()).into_bytes(), [b"\0\xff", key.expose().as_bytes()].concat()]
    {
        let (status, problem) = answer(put(&world, &As::Key(world.owner.clone()), "").body(content)).await;
        assert_eq!((status, &problem["reason"]), (422, &json!("invalid_message")));
        assert!(!problem.to_string().contains(key.expose()));
    }
    assert!(!world.keeps(key.expose()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_brings_files_from_our_own_page_and_from_no_form() {
    let world = World::new().await;
    let mia = world.person("mia", "member").await;
    let cookie = HeaderValue::from_str(&mia.cookie).expect("a header");
    let bring = async |origin: Option<&str>, media_type: Option<&str>| {
        let url = format!("{}{}?name=a&media_type=text/plain", world.url, world.path("/files"));
        let mut request = world.client.post(url).header("cookie", cookie.clone()).body("x");
        for (name, value) in [("origin", origin), ("content-type", media_type)] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        answer(request).await
    };
    let ours = Some(world.url.as_str());
    let (status, view) = bring(ours, Some("application/octet-stream")).await;
    assert_eq!((status, &view["media_type"]), (201, &json!("text/plain")), "{view}");
    for form in ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"] {
        assert_eq!(bring(ours, Some(form)).await.0, 415, "{form}");
    }
    assert_eq!(bring(ours, None).await.0, 415);
    for origin in [None, Some("https://elsewhere.example"), Some("null")] {
        assert_eq!(bring(origin, Some("application/octet-stream")).await.0, 403, "{origin:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_send_with_a_file_that_is_not_there_sends_nothing() {
    let world = World::new().await;
    world.agent("scout").await;
    let mia = world.person("mia", "member").await;
    let hers = kept(&world, &As::Key(mia.key.clone()), "", b"hers".to_vec()).await;
    let mine = kept(&world, &As::Key(world.owner.clone()), "", b"mine".to_vec()).await;
    let never = "fil_00000000000000000000000001";
    for missing in [hers.as_str(), never, "plan.md"] {
        let draft = json!({"to": "scout", "topic_id": "new", "text": "x", "attachments": [mine, missing]});
        let (status, problem) = world.call(&world.owner, Method::POST, "/messages", Some(draft)).await;
        assert_eq!((status.as_u16(), &problem["reason"]), (422, &json!("invalid_message")));
        assert!(problem["help"].as_str().expect("help").contains(missing), "{problem}");
    }
    for bad in [json!([7]), json!({"name": "x"}), json!(true)] {
        let draft = json!({"to": "scout", "topic_id": "new", "text": "x", "attachments": bad});
        assert_eq!(world.call(&world.owner, Method::POST, "/messages", Some(draft)).await.0, 422, "{bad}");
    }
    let topics = world.get(&world.owner, "/topics").await;
    assert_eq!(topics["items"], json!([]));
}
