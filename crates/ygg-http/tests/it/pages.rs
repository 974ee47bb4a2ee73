//! The pages that the server carries with it.

use std::collections::BTreeSet;

use reqwest::Url;

use crate::world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_root_says_in_one_line_what_this_is() {
    let world = World::new().await;
    let answer = world.client.get(&world.url).send().await.expect("an answer");
    assert_eq!(
        (answer.status().as_u16(), &answer.headers()["content-type"]),
        (200, &"text/plain; charset=utf-8".parse().expect("a type"))
    );
    let line = answer.text().await.expect("a text");
    assert_eq!(line.lines().count(), 1, "{line}");
    for part in [env!("CARGO_PKG_VERSION"), "/v1/w/", "/openapi.json"] {
        assert!(line.contains(part), "{line}");
    }
}

/// From the page of the errors on, every link within the server leads somewhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_link_of_a_page_leads_to_a_page() {
    let world = World::new().await;
    let begin = Url::parse(&format!("{}/errors/README.md", world.url)).expect("an address");
    let (mut open, mut seen) = (vec![begin], BTreeSet::new());
    while let Some(at) = open.pop() {
        if !seen.insert(at.to_string()) {
            continue;
        }
        let answer = world.client.get(at.clone()).send().await.expect("an answer");
        assert_eq!(answer.status(), 200, "{at}");
        let text = answer.text().await.expect("a text");
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        let links =
            links.map(|(link, _)| link).filter(|link| !link.contains("://") && !link.starts_with('#'));
        open.extend(links.map(|link| at.join(link).expect("an address")));
    }
    assert!(seen.len() > 30, "{seen:?}");
    let bare = world.client.get(format!("{}/errors/hop_limit", world.url)).send().await.expect("an answer");
    assert_eq!(bare.status(), 200, "a problem's type has no ending");
}
