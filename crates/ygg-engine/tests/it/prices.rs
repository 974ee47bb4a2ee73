//! What a text costs, through a real send: one credit for every started 1,000 Unicode scalar values [C1].

use serde_json::json;
use ygg_wire::credits::Grant;

use crate::world::{AGENTS, PEOPLE, World};

/// Agents come after the people.
const SENDER: usize = PEOPLE.len();

#[tokio::test]
async fn what_is_charged_is_what_the_ledger_moves() {
    const FAMILY: &str = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466}";
    assert_eq!(FAMILY.chars().count(), 7);
    let texts: [(&str, String, i64); 13] = [
        ("one letter", "x".to_owned(), 1),
        ("999", "x".repeat(999), 1),
        ("1,000", "x".repeat(1_000), 1),
        ("1,001", "x".repeat(1_001), 2),
        ("two bytes each", "é".repeat(1_000), 1),
        ("four bytes each", "😀".repeat(1_000), 1),
        ("four bytes each, one more", "😀".repeat(1_001), 2),
        ("families, seven each", FAMILY.repeat(1_000), 7),
        ("a letter and its accent are two", "e\u{301}".repeat(1_000), 2),
        ("the accent opens the next thousand", format!("{}e\u{301}", "x".repeat(999)), 2),
        ("a line end of two is two", "\r\n".repeat(500), 1),
        ("one line end more", "\r\n".repeat(501), 2),
        ("what cannot be seen counts", "\u{200b}".repeat(1_001), 2),
    ];
    let world = World::memory().await;
    let (engine, owner, sender) = (&world.engine, &world.callers[0], &world.callers[SENDER]);
    assert_eq!(sender.participant().id.as_str(), AGENTS[0]);
    let draft =
        json!({"to": &AGENTS[1..=2], "type": "request", "topic_id": "new", "title": "T", "text": "x"});
    let topic = engine.send(sender, draft).await.expect("an answer").topic_id;
    let pool = Grant { to: "pool".to_owned(), credits: 1_000 };
    engine.grant(owner, pool).await.expect("credits");
    for (what, text, price) in &texts {
        for recipients in [1, 2] {
            let to = &AGENTS[1..=recipients];
            let draft = json!({"to": to, "type": "request", "topic_id": topic, "text": text});
            let before = engine.credits(owner).await.expect("pots").pool;
            let receipt = engine.send(sender, draft).await.expect("an answer");
            let price = price * recipients as i64;
            assert_eq!(
                (receipt.outcome.as_str(), receipt.charged),
                ("delivered", price),
                "{what}: {receipt:?}"
            );
            assert_eq!(engine.credits(owner).await.expect("pots").pool, before - price, "{what}");
            let id = receipt.message_id.expect("an id");
            let ledger = engine.ledger(owner, None, 200).await.expect("entries").items;
            let moved: i64 =
                ledger.iter().filter(|one| one.message_id.as_ref() == Some(&id)).map(|one| one.amount).sum();
            assert_eq!(moved, -price, "{what}");
            assert_eq!(engine.message(sender, &id).await.expect("it is there").charged, price, "{what}");
        }
    }
}
