//! Search: the same places under the same words on every store, as a table of cases.

use ygg_domain::Change;
use ygg_domain::conversation::Kind;
use ygg_domain::id::{MessageId, TopicId};
use ygg_domain::message::{Message, MessageType};
use ygg_domain::search;
use ygg_store::search::Found;

use crate::cast::{TEAM, id};
use crate::history::History;
use crate::same::{Stores, same};

const TEXTS: [&str; 14] = [
    "The token refresh races with the logout",
    "Große STRAẞE, e\u{301}té & naïve café",
    "今日は日本語を話す",
    "see https://www.example.com/a/b?q=token or mail ana@example.com",
    "foo-bar_baz.qux (v1.2.3) #42 'quoted' \"double\" back\\slash",
    "AND OR NOT NEAR * : ^ \" ' & | ! <-> $1 ?1 ?2",
    "👍 well done 🎉",
    "Привет, мир! ΣΊΣΥΦΟΣ",
    "हिन्दी भाषा · ภาษาไทย · 한국어",
    "ａｂｃ１２３ ﬁne ²",
    "???",
    "zero\u{200b}width and soft\u{ad}hyphen",
    "a aa aaa aaaa",
    "İstanbul ISTANBUL istanbul ıstanbul",
];

struct Said {
    topic: TopicId,
    messages: Vec<MessageId>,
}

fn said() -> (History, Said) {
    let mut history = History::new();
    let (ana, codex) = (history.person(1, "ana"), history.agent("codex"));
    let general = history.conversation(Kind::General);
    let topic = history.topic(general, &ana, Some("Token titles — 話題"));
    let untitled = history.topic(general, &codex, None);
    let mut messages = Vec::new();
    for text in TEXTS {
        let plain = history.message(topic, &codex, MessageType::Inform);
        messages.push(history.post(Message { text: text.to_owned(), ..plain }, &[]));
    }
    let long = history.message(topic, &ana, MessageType::Inform);
    let text = format!("{} needle {}", "hay ".repeat(50_000), "x".repeat(50_000));
    history.post(Message { text, ..long }, &[]);
    let title =
        |title: &str| Change::TopicTitled { topic: untitled, conversation: general, title: title.to_owned() };
    history.then(title("first name"));
    history.then(title("second name"));
    (history, Said { topic, messages })
}

fn found(stores: &Stores, query: &str) -> Vec<Found> {
    let sought = search::read(query).unwrap_or_else(|problem| panic!("{query:?}: {problem}"));
    stores.ask(|rows| rows.found(TEAM, &sought, i64::MAX, 100))
}

#[test]
fn every_store_finds_the_same() {
    let (history, said) = said();
    let stores = same(&history);
    // By the places of `TEXTS`, newest first; `t` is a title.
    for (query, expected) in [
        ("token", "3 0 t"),
        ("tok", "3 0 t"),
        ("the refresh", "0"),
        ("refresh the", "0"),
        ("oken", ""),
        ("token zebra", ""),
        ("TOKEN", "3 0 t"),
        ("strasse", "1"),
        ("GROSSE strasse", "1"),
        ("été", "1"),
        ("e\u{301}te\u{301}", "1"),
        ("ete", ""),
        ("naive", ""),
        ("日本", "2"),
        ("日本語", "2"),
        ("語", "2"),
        ("日語", ""),
        ("話題", "t"),
        ("example.com", "3"),
        ("ana@example", "3"),
        ("foo", "4"),
        ("foo-bar_baz.qux", "4"),
        ("v1 2 3", "4"),
        ("#42", "4"),
        ("back\\slash", "4"),
        ("\"double", "4"),
        ("'quoted'", "4"),
        ("and", "11 5"),
        ("AND OR", "5"),
        ("NOT near", "5"),
        ("words:token", ""),
        ("tok* OR zebra", ""),
        ("👍", "6"),
        ("🎉 done", "6"),
        ("привет", "7"),
        ("МИР", "7"),
        ("σίσυφος", "7"),
        ("ΣΊΣΥΦΟΣ", "7"),
        ("हिन्दी", "8"),
        ("ไทย", "8"),
        ("한국어", "8"),
        ("한국", "8"),
        ("abc123", "9"),
        ("fine", "9"),
        ("2", "9 5 4"),
        ("zero width", "11"),
        ("soft hyphen", "11"),
        ("a", "12 3"),
        ("aaa", "12"),
        ("istanbul", "13"),
        ("ıstanbul", "13"),
        ("needle", "long"),
        (&"x".repeat(70), "long"),
        ("first", ""),
        ("second name", "t"),
        ("name", "t"),
    ] {
        let seen: Vec<String> = found(&stores, query)
            .iter()
            .map(|found| match found.message {
                None => "t".to_owned(),
                Some(id) => {
                    assert_eq!(found.topic, said.topic);
                    let place = said.messages.iter().position(|message| *message == id);
                    place.map_or_else(|| "long".to_owned(), |place| place.to_string())
                }
            })
            .collect();
        assert_eq!(seen.join(" "), expected, "{query:?}");
    }
}

#[test]
fn places_come_in_pages_without_a_gap() {
    let (history, _) = said();
    let stores = Stores::after(&history);
    let sought = search::read("token").expect("a query");
    let all = found(&stores, "token");
    let mut paged = Vec::new();
    let mut before = i64::MAX;
    loop {
        let page = stores.ask(|rows| rows.found(TEAM, &sought, before, 1));
        let Some(last) = page.last() else { break };
        before = last.seq;
        paged.extend(page);
    }
    assert_eq!(paged, all);
    for before in [i64::MIN, -1, 0] {
        assert_eq!(stores.ask(|rows| rows.found(TEAM, &sought, before, 5)), []);
    }
}

#[test]
fn what_is_redacted_is_not_found_and_not_in_the_index() {
    let (mut history, said) = said();
    let plain = history.message(said.topic, &id("codex"), MessageType::Inform);
    let secret = history.post(Message { text: "xylophone token qvoriginal".to_owned(), ..plain }, &[]);
    let terms = |stores: &Stores| {
        let file = rusqlite::Connection::open(stores.path()).expect("the file");
        let sql = "SELECT count(*) FROM search_data WHERE instr(block, CAST('ylophone' AS BLOB)) > 0";
        file.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a count")
    };
    let stores = same(&history);
    assert_eq!(found(&stores, "xylophone").len(), 1);
    assert!(terms(&stores) > 0);
    history.redact(said.topic, secret, &id("human.1"));
    history.redact(said.topic, secret, &id("human.1"));
    let stores = same(&history);
    assert_eq!(found(&stores, "xylophone"), []);
    assert_eq!(found(&stores, "redacted"), [], "the mark is no word of anybody's");
    assert_eq!(found(&stores, "token").len(), 3);
    assert_eq!(terms(&stores), 0);
}
