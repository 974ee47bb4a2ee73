//! People coming, signing in and out, and leaving: what ends, what stays, and what nobody is told [W1, W3, O7b, O8].

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use ygg_domain::key::contains_key;
use ygg_domain::participant::Role;
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_engine::{ManualClock, RateLimit};

use crate::world::{As, PASSWORD, Setting, World, cookie, without_request_id};

const HOUR: Duration = Duration::from_secs(3600);

/// A sign-in; the status, what was told, and the cookie.
async fn sign_in(world: &World, slug: &str, handle: &str, password: &str) -> (u16, String, Option<String>) {
    let url = format!("{}/v1/w/{slug}/sessions", world.url);
    let request = world.client.post(url).json(&json!({"handle": handle, "password": password}));
    let answer = request.header("user-agent", "A browser").send().await.expect("an answer");
    let (status, cookie) = (answer.status().as_u16(), cookie(answer.headers()));
    (status, without_request_id(&answer.text().await.expect("a text")), cookie)
}

/// What a cookie gets at `/me`; the status, and the cookie that takes its place.
async fn look(world: &World, cookie: &str) -> (u16, Option<String>) {
    let request = world.client.get(format!("{}{}", world.url, world.path("/me"))).header("cookie", cookie);
    let answer = request.send().await.expect("an answer");
    (answer.status().as_u16(), self::cookie(answer.headers()))
}

async fn accept(world: &World, code: &Value, handle: &str, password: &str) -> (u16, Value) {
    let body = json!({"code": code, "handle": handle, "password": password});
    let (status, answer) = world.ask(&As::Nobody, "post", "/v1/invites/accept", &body.to_string()).await;
    (status, serde_json::from_str(&answer).expect("JSON"))
}

async fn invite(world: &World, role: &str) -> Value {
    world.post(&world.owner, "/invites", json!({"role": role})).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_begins_with_a_password_and_ends_with_its_streams() {
    let world = World::new().await;
    let mia = world.person("mia", "member").await;
    let (status, told, second) = sign_in(&world, "team", "@mia", PASSWORD).await;
    assert_eq!(status, 201, "{told}");
    assert!(!contains_key(&told), "{told}");
    let second = second.expect("a cookie");
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!((&told["person"]["handle"], &told["session"]["label"]), (&json!("mia"), &json!("A browser")));
    let listed = world.with_cookie(&second, Method::GET, "/sessions", None).await.1;
    assert_eq!(listed.as_array().expect("a list").len(), 2);
    assert_eq!(listed[1]["current"], true);

    let mut stream = world.events_as(&As::Cookie(mia.cookie.clone()), "", None).await;
    let first = format!("/sessions/{}", mia.told["session"]["id"].as_str().expect("an id"));
    assert_eq!(world.with_cookie(&second, Method::DELETE, &first, None).await.0, 200);
    while stream.next().await.is_some() {}
    assert_eq!(look(&world, &mia.cookie).await.0, 401);
    assert_eq!(look(&world, &second).await.0, 200);
    assert_eq!(world.with_cookie(&second, Method::DELETE, &first, None).await.0, 404);
    // Everywhere: the one that asks as well. The key is another matter.
    assert_eq!(world.with_cookie(&second, Method::DELETE, "/sessions", None).await.1["ended"], 1);
    assert_eq!(look(&world, &second).await.0, 401);
    world.get(&mia.key, "/me").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_is_wrong_with_a_sign_in_answers_alike() {
    let world = World::new().await;
    world.person("mia", "member").await;
    let by = world.engine.authenticate(None, &world.owner).await.expect("the owner");
    world.engine.add_person(&by, "unclaimed", Role::Member).await.expect("a person");
    world.engine.found_workspace("other", "zoe", Policy::default(), 0).await.expect("a workspace");
    let (status, wrong, none) = sign_in(&world, "team", "mia", "not the right one").await;
    assert_eq!((status, none), (401, None));
    for (slug, handle, password) in [
        ("team", "nobody", PASSWORD),
        ("team", "unclaimed", ""),
        ("team", "unclaimed", PASSWORD),
        ("team", "no handle at all", PASSWORD),
        ("team", "mia", ""),
        ("team", "mia", &"x".repeat(100_000)),
        ("other", "mia", PASSWORD),
        ("never-was", "mia", PASSWORD),
        ("No Slug", "mia", PASSWORD),
    ] {
        let slug = slug.replace(' ', "%20");
        assert_eq!(
            sign_in(&world, &slug, handle, password).await,
            (401, wrong.clone(), None),
            "{slug} {handle}"
        );
    }
    crate::logs::assert_no_key();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn passwords_cannot_be_tried_without_end() {
    let world = World::with(Setting { rate: RateLimit::default(), ..Setting::default() }).await;
    let mut statuses = Vec::new();
    for _ in 0..11 {
        statuses.push(sign_in(&world, "team", "ana", "not the right one").await.0);
    }
    assert_eq!((statuses[9], statuses[10]), (401, 429));
    // Another account from the same address still has its own.
    assert_eq!(sign_in(&world, "team", "bo", "not the right one").await.0, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_password_ends_all_other_sessions_in_every_workspace() {
    let world = World::new().await;
    let zoe = world.engine.found_workspace("other", "zoe", Policy::default(), 0).await.expect("a workspace");
    let mia = world.person("mia", "member").await;
    let code = {
        let key = As::Key(zoe.key.key);
        let (_, made) = world.ask(&key, "post", "/v1/w/other/invites", r#"{"role":"member"}"#).await;
        serde_json::from_str::<Value>(&made).expect("JSON")["code"].clone()
    };
    // The same account, by its password.
    assert_eq!(accept(&world, &code, "mia", PASSWORD).await.0, 201);
    let (_, _, elsewhere) = sign_in(&world, "other", "mia", PASSWORD).await;
    let (_, _, second) = sign_in(&world, "team", "mia", PASSWORD).await;
    let (elsewhere, second) = (elsewhere.expect("a cookie"), second.expect("a cookie"));

    let change = |old: &str, new: &str| Some(json!({"old": old, "new": new}));
    let path = "/me/password";
    let wrong =
        world.with_cookie(&second, Method::POST, path, change("not the right one", "some new words")).await;
    assert_eq!((wrong.0.as_u16(), &wrong.1["reason"]), (401, &json!("wrong_password")));
    let short = world.with_cookie(&second, Method::POST, path, change(PASSWORD, "short")).await;
    assert_eq!(short.0, 422);
    let request = world.client.post(format!("{}{}", world.url, world.path(path)));
    let request = As::Cookie(second.clone()).on(request, &world).json(&change(PASSWORD, "some new words"));
    let answer = request.send().await.expect("an answer");
    let fresh = cookie(answer.headers()).expect("a new secret");
    let ended: Value = answer.json().await.expect("JSON");
    assert_eq!(ended["ended"], 3);
    assert_eq!(look(&world, &mia.cookie).await.0, 401);
    assert_eq!(look(&world, &fresh).await.0, 200);
    // Whoever copied the cookie of the session that changed the password is out too.
    assert_eq!(look(&world, &second).await.0, 401);
    let there = world.ask(&As::Cookie(elsewhere), "get", "/v1/w/other/me", "").await;
    assert_eq!(there.0, 401);
    assert_eq!(sign_in(&world, "team", "mia", PASSWORD).await.0, 401);
    assert_eq!(sign_in(&world, "other", "mia", "some new words").await.0, 201);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invite_works_once_and_takes_nobody_over() {
    let world = World::new().await;
    let by = world.engine.authenticate(None, &world.owner).await.expect("the owner");
    world.engine.add_person(&by, "unclaimed", Role::Owner).await.expect("a person");
    let code = invite(&world, "member").await["code"].clone();
    for (handle, password, status) in [
        ("new-one", "short", 422),
        ("No Handle", PASSWORD, 422),
        // An account that nobody has claimed is claimed by its link, not by an invite.
        ("unclaimed", PASSWORD, 401),
    ] {
        assert_eq!(accept(&world, &code, handle, password).await.0, status, "{handle}");
    }
    assert_eq!(accept(&world, &code, "new-one", PASSWORD).await.0, 201);
    let again = accept(&world, &code, "another", PASSWORD).await;
    assert_eq!((again.0, &again.1["reason"]), (404, &json!("not_found")));
    let never = accept(&world, &json!("no code"), "another", PASSWORD).await;
    assert_eq!(again, never);
    // Somebody's handle opens with their password alone, and who is here already is not made twice.
    let code = invite(&world, "owner").await["code"].clone();
    assert_eq!(accept(&world, &code, "new-one", "not the right one").await.0, 401);
    assert_eq!(accept(&world, &code, "new-one", PASSWORD).await.0, 409);
    let listed = world.get(&world.owner, "/invites").await;
    assert_eq!(listed.as_array().expect("a list").len(), 1);
    assert!(!contains_key(&listed.to_string()));
    let id = format!("/invites/{}", listed[0]["id"].as_str().expect("an id"));
    assert_eq!(world.call(&world.owner, Method::DELETE, &id, None).await.0, 200);
    assert_eq!(world.call(&world.owner, Method::DELETE, &id, None).await.0, 404);
    assert_eq!(accept(&world, &code, "third", PASSWORD).await.0, 404);
    // What whoever left had promised is void.
    let ada = world.person("ada", "admin").await;
    let code = world.post(&ada.key, "/invites", json!({"role": "admin"})).await["code"].clone();
    world.call(&world.owner, Method::PATCH, "/people/@ada", Some(json!({"role": "member"}))).await;
    assert_eq!(accept(&world, &code, "fourth", PASSWORD).await.0, 404);
    crate::logs::assert_no_key();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn time_renews_and_ends() {
    let clock = Arc::new(ManualClock::at(Timestamp(1_800_000_000_000)));
    let world = World::with(Setting { clock: clock.clone(), ..Setting::default() }).await;
    let code = invite(&world, "member").await["code"].clone();
    let mia = world.person("mia", "member").await;
    clock.advance(23 * HOUR);
    assert_eq!(look(&world, &mia.cookie).await, (200, None));
    clock.advance(HOUR);
    let (status, fresh) = look(&world, &mia.cookie).await;
    let fresh = fresh.expect("a day of use brings another secret");
    assert_eq!(status, 200);
    assert_ne!(fresh, mia.cookie);
    // What was on its way is not signed out.
    clock.advance(Duration::from_secs(59));
    assert_eq!(look(&world, &mia.cookie).await, (200, None));
    clock.advance(Duration::from_secs(1));
    assert_eq!(look(&world, &mia.cookie).await.0, 401);
    assert_eq!(look(&world, &fresh).await, (200, None));
    clock.advance(6 * 24 * HOUR);
    assert_eq!(accept(&world, &code, "late", PASSWORD).await.0, 404);
    clock.advance(24 * 24 * HOUR);
    assert_eq!(look(&world, &fresh).await.0, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cookie_changes_something_only_for_our_own_page() {
    let world = World::new().await;
    let mia = world.person("mia", "member").await;
    let call = async |origin: Option<&str>, kind: Option<&str>| {
        let url = format!("{}{}", world.url, world.path("/people/@mia"));
        let mut request =
            world.client.patch(url).header("cookie", &mia.cookie).body(r#"{"display_name":"Mia"}"#);
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        if let Some(kind) = kind {
            request = request.header("content-type", kind);
        }
        request.send().await.expect("an answer").status().as_u16()
    };
    let (own, json) = (Some(world.url.as_str()), Some("application/json"));
    assert_eq!(call(own, json).await, 200);
    assert_eq!(call(None, json).await, 403);
    assert_eq!(call(Some("null"), json).await, 403);
    // The guard answers for it, but it is another program's page.
    assert_eq!(call(Some("http://127.0.0.1:1"), json).await, 403);
    assert_eq!(call(Some("https://evil.example"), json).await, 403);
    assert_eq!(call(own, None).await, 415);
    assert_eq!(call(own, Some("text/plain")).await, 415);
    // Reading is harmless, and a key says by itself that no browser was made to send it.
    assert_eq!(look(&world, &mia.cookie).await.0, 200);
    world.call(&mia.key, Method::PATCH, "/people/@mia", Some(json!({"display_name": "Mia"}))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_leaves_loses_all_ways_in_and_comes_back_as_the_same() {
    let world = World::new().await;
    let mia = world.person("mia", "member").await;
    let mut by_key = world.events(&mia.key, "", None).await;
    let mut by_session = world.events_as(&As::Cookie(mia.cookie.clone()), "", None).await;
    let path = format!("/people/{}", mia.id());
    let (status, gone) = world.call(&mia.key, Method::DELETE, &path, None).await;
    assert_eq!((status.as_u16(), &gone["removed"]), (200, &json!(true)));
    for stream in [&mut by_key, &mut by_session] {
        while stream.next().await.is_some() {}
    }
    assert_eq!(look(&world, &mia.cookie).await.0, 401);
    assert_eq!(world.call(&mia.key, Method::GET, "/me", None).await.0, 401);
    assert_eq!(sign_in(&world, "team", "mia", PASSWORD).await.0, 401);
    assert!(!world.get(&world.owner, "/people").await.to_string().contains("mia"));
    assert_eq!(world.call(&world.owner, Method::DELETE, &path, None).await.0, 404);

    let code = invite(&world, "viewer").await["code"].clone();
    let (status, back) = accept(&world, &code, "mia", PASSWORD).await;
    assert_eq!(
        (status, &back["person"]["id"], &back["person"]["role"]),
        (201, &json!(mia.id()), &json!("viewer"))
    );
    // The key of before stays revoked.
    assert_eq!(world.call(&mia.key, Method::GET, "/me", None).await.0, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_owner_stays() {
    let world = World::new().await;
    for (method, body) in [(Method::DELETE, None), (Method::PATCH, Some(json!({"role": "admin"})))] {
        let (status, told) = world.call(&world.owner, method, "/people/@ana", body).await;
        assert_eq!((status.as_u16(), &told["reason"]), (409, &json!("last_owner")));
    }
    let olga = world.person("olga", "owner").await;
    assert_eq!(world.call(&olga.key, Method::DELETE, "/people/@ana", None).await.0, 200);
}
