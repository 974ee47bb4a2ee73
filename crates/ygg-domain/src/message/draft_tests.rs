//! What becomes of drafts that are not quite right, as a table [M5].

use super::*;

fn raw(kind: &str) -> RawDraft {
    RawDraft {
        to: vec!["b".into()],
        kind: Some(kind.into()),
        topic_id: Some("new".into()),
        text: Some("x".into()),
        ..RawDraft::default()
    }
}

fn check(raw: RawDraft, kind: MessageType, fields: &[&str]) {
    let said = format!("{raw:?}");
    let draft = understand(raw).unwrap_or_else(|refusal| panic!("{said}: {refusal:?}"));
    assert_eq!(draft.kind, kind, "{said}");
    assert_eq!(
        draft.repairs.iter().map(|repair| repair.field.as_str()).collect::<Vec<_>>(),
        fields,
        "{said}"
    );
}

#[test]
fn what_cannot_stand_is_dropped_and_wakes_nobody() {
    use MessageType::{Inform, Request, Response};
    let message = "msg_00000000000000000000000001";
    check(raw("request"), Request, &[]);
    check(raw("REQUEST!!"), Inform, &["type"]);
    check(RawDraft { kind: None, ..raw("") }, Inform, &["type"]);
    check(RawDraft { kind: None, wrong: vec!["type"], ..raw("") }, Inform, &["type"]);
    check(RawDraft { state: Some("sleeping".into()), ..raw("request") }, Inform, &["state"]);
    check(RawDraft { in_reply_to: Some(message.into()), ..raw("request") }, Inform, &["in_reply_to"]);
    check(RawDraft { in_reply_to: Some(message.into()), ..raw("response") }, Response, &[]);
    check(RawDraft { in_reply_to: Some("that one".into()), ..raw("response") }, Response, &["in_reply_to"]);
    check(RawDraft { waiting_for: vec!["b".into()], ..raw("request") }, Inform, &["waiting_for"]);
    check(RawDraft { wrong: vec!["title"], ..raw("request") }, Inform, &["title"]);
    check(RawDraft { ignored: vec!["from".into()], ..raw("request") }, Request, &["from"]);
}

const FILE: &str = "fil_00000000000000000000000001";
const OTHER_FILE: &str = "fil_00000000000000000000000002";

#[test]
fn files_stand_for_a_text_and_each_counts_once() {
    let files = || vec![FILE.to_owned(), OTHER_FILE.to_owned(), FILE.to_owned()];
    for text in [None, Some(String::new()), Some("x".to_owned())] {
        let draft = understand(RawDraft { text, attachments: files(), ..raw("request") }).expect("it stands");
        let names: Vec<String> = draft.attachments.iter().map(ToString::to_string).collect();
        assert_eq!(names, [FILE, OTHER_FILE]);
    }
    let refusal = understand(RawDraft { attachments: vec!["plan.md".into()], ..raw("request") });
    let help = refusal.map_err(|refusal| refusal.help()).expect_err("no file");
    assert!(help.contains("plan.md"), "{help}");
}

#[test]
fn what_cannot_be_understood_is_refused() {
    let key = crate::key::SecretKey::new(crate::key::KeyKind::Agent, [9; 32]).expose().to_owned();
    for (draft, code) in [
        (RawDraft { text: None, ..raw("request") }, "invalid_message"),
        (RawDraft { text: Some(String::new()), ..raw("request") }, "invalid_message"),
        (RawDraft { text: Some("a\0b".into()), ..raw("request") }, "invalid_message"),
        (RawDraft { title: Some("a\0b".into()), ..raw("request") }, "invalid_message"),
        (RawDraft { text: Some(format!("my key is {key}")), ..raw("request") }, "invalid_message"),
        (RawDraft { attachments: vec!["plan.md".into()], ..raw("request") }, "invalid_message"),
        (RawDraft { attachments: vec![FILE.into(); limits::ATTACHMENTS + 1], ..raw("request") }, "too_large"),
        (RawDraft { text: Some("x".repeat(limits::MESSAGE_TEXT_BYTES + 1)), ..raw("request") }, "too_large"),
        (RawDraft { to: vec!["b".into(); limits::ADDRESSES + 1], ..raw("request") }, "too_large"),
    ] {
        assert_eq!(understand(draft).map_err(|refusal| refusal.code()).err(), Some(code));
    }
    let most = RawDraft { text: Some("x".repeat(limits::MESSAGE_TEXT_BYTES)), ..raw("request") };
    assert!(understand(most).is_ok());
}

#[test]
fn the_digest_tells_drafts_apart_but_not_their_keys() {
    let keyed = |raw: RawDraft, key: &str| {
        let raw = RawDraft { idempotency_key: Some(key.to_owned()), ..raw };
        understand(raw).ok().and_then(|draft| draft.key).expect("a good draft with a key").digest
    };
    let digest = |raw: RawDraft| keyed(raw, "k");
    let plain = digest(raw("request"));
    assert_eq!(plain, keyed(raw("request"), "another"));
    assert_ne!(plain, digest(RawDraft { text: Some("y".into()), ..raw("request") }));
    assert_ne!(plain, digest(RawDraft { title: Some("x".into()), ..raw("request") }));
    let with = |files: &[&str]| {
        let attachments = files.iter().map(|file| (*file).to_owned()).collect();
        digest(RawDraft { attachments, ..raw("request") })
    };
    assert_eq!(with(&[]), plain);
    assert_ne!(with(&[FILE]), plain);
    assert_ne!(with(&[FILE, OTHER_FILE]), with(&[OTHER_FILE, FILE]));
    let one = RawDraft { to: vec!["ab".into(), "c".into()], ..raw("request") };
    let other = RawDraft { to: vec!["a".into(), "bc".into()], ..raw("request") };
    assert_ne!(digest(one), digest(other));
}
