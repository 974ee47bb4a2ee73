//! Claims: an account's password, set once by whoever has the code [O7a].

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_engine::{Browser, Engine, Error, ManualClock, RateLimit};
use ygg_store::memory::Memory;
use ygg_wire::Secret;
use ygg_wire::claim::TakeClaim;

use crate::world::World;

const PASSWORD: &str = "correct horse";

async fn make(world: &World, handle: &str) -> Value {
    let url = format!("{}/v1/server/people/{handle}/claim", world.url);
    let answer = world.client.post(url).bearer_auth(&world.server_key).send().await.expect("an answer");
    assert_eq!(answer.status(), 201);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    answer.json().await.expect("JSON")
}

async fn take(world: &World, code: &Value, password: &str) -> Response {
    let claim = world.client.post(format!("{}/v1/claims", world.url));
    claim.json(&json!({"code": code, "password": password})).send().await.expect("an answer")
}

async fn sign_in(world: &World, password: &str) -> u16 {
    let who = json!({"handle": "ana", "password": password});
    let asked = world.client.post(format!("{}{}", world.url, world.path("/sessions"))).json(&who);
    asked.send().await.expect("an answer").status().as_u16()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_sets_a_password_once_and_signs_in() {
    let world = World::new().await;
    assert_eq!(sign_in(&world, PASSWORD).await, 401);
    let made = make(&world, "@ana").await;
    assert_eq!((&made["handle"], &made["workspace"]), (&json!("ana"), &json!("team")));
    let code = &made["code"];
    assert!(code.as_str().is_some_and(|code| code.starts_with("yggc_")));

    // A password that cannot stand uses nothing up.
    let short = take(&world, code, "short").await;
    assert_eq!(short.status(), 422);
    let entered = take(&world, code, PASSWORD).await;
    assert_eq!(entered.status(), 201);
    let cookie = entered.headers()["set-cookie"].to_str().expect("a cookie").to_owned();
    let told: Value = entered.json().await.expect("JSON");
    assert_eq!((&told["workspace"], &told["person"]["handle"]), (&json!("team"), &json!("ana")));
    let (cookie, _) = cookie.split_once(';').expect("a cookie with attributes");
    let me = world.client.get(format!("{}{}", world.url, world.path("/me"))).header("cookie", cookie);
    assert_eq!(me.send().await.expect("an answer").status(), 200);
    assert_eq!(sign_in(&world, PASSWORD).await, 201);

    let again = take(&world, code, "another horse").await;
    assert_eq!(again.status(), 404, "it was good once");
    assert_eq!(sign_in(&world, PASSWORD).await, 201);
    crate::logs::assert_no_key();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_claim_ends_the_former_and_taking_it_ends_every_session() {
    let world = World::new().await;
    let first = make(&world, "ana").await;
    let second = make(&world, "ana").await;
    assert_eq!(take(&world, &first["code"], PASSWORD).await.status(), 404);
    let entered = take(&world, &second["code"], PASSWORD).await;
    let cookie = entered.headers()["set-cookie"].to_str().expect("a cookie").to_owned();
    let (cookie, _) = cookie.split_once(';').expect("a cookie with attributes");
    let me = || world.client.get(format!("{}{}", world.url, world.path("/me"))).header("cookie", cookie);
    assert_eq!(me().send().await.expect("an answer").status(), 200);

    let third = make(&world, "ana").await;
    assert_eq!(me().send().await.expect("an answer").status(), 200, "a claim by itself changes nothing");
    assert_eq!(take(&world, &third["code"], "another horse").await.status(), 201);
    assert_eq!(me().send().await.expect("an answer").status(), 401);
    assert_eq!((sign_in(&world, PASSWORD).await, sign_in(&world, "another horse").await), (401, 201));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_is_the_operators_to_make_and_nobodys_to_guess() {
    let world = World::new().await;
    let made = make(&world, "ana").await;
    for code in [json!("yggc_short"), json!(""), json!(world.owner), json!(world.server_key)] {
        let answer = take(&world, &code, PASSWORD).await;
        assert_eq!(answer.status(), 404);
        let told: Value = answer.json().await.expect("JSON");
        assert_eq!(told["reason"], "not_found");
    }
    for (key, handle, status) in [
        (&world.server_key, "@nobody", 404),
        (&world.server_key, "no%20body", 404),
        (&world.owner, "ana", 401),
    ] {
        let url = format!("{}/v1/server/people/{handle}/claim", world.url);
        let answer = world.client.post(url).bearer_auth(key).send().await.expect("an answer");
        assert_eq!(answer.status().as_u16(), status, "{handle}");
    }
    // A code is no key, wherever one is asked for.
    let (status, _) = world.call(made["code"].as_str().expect("a code"), Method::GET, "/me", None).await;
    assert_eq!(status, 401);
    assert_eq!(take(&world, &made["code"], PASSWORD).await.status(), 201, "and it still stands");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_is_good_for_a_quarter_of_an_hour() {
    let clock = Arc::new(ManualClock::at(Timestamp(0)));
    let engine = Engine::new(Arc::new(Memory::new()), clock.clone(), RateLimit::Off);
    engine.found_workspace("team", "ana", Policy::default(), 0).await.expect("a workspace");
    let late = async |minutes: u64| {
        let made = engine.make_claim("ana").await.expect("a claim");
        clock.advance(Duration::from_secs(60 * minutes));
        let browser = Browser { user_agent: String::new(), address: IpAddr::V4(Ipv4Addr::LOCALHOST) };
        engine.take_claim(TakeClaim { code: made.code, password: Secret::new(PASSWORD) }, browser).await
    };
    assert!(late(14).await.is_ok());
    assert!(matches!(late(15).await, Err(Error::Refused(_))));
}
