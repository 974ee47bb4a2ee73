//! Files: uploaded, carried by messages, left, and gone with their uploader.

use ygg_domain::Change;
use ygg_domain::conversation::Kind;
use ygg_domain::file::{Attachment, FileHash, Loose};
use ygg_domain::id::{MessageId, TopicId};
use ygg_domain::message::{ContextReason, Message, MessageType, REDACTED, Redacted};
use ygg_domain::participant::Participant;

use crate::cast::{TEAM, agent, at, id, told};
use crate::history::History;
use crate::same::{Stores, same};

struct Sent {
    topic: TopicId,
    both: MessageId,
    again: MessageId,
    /// Of two files that hold the same, the first.
    same: Attachment,
    twin: Attachment,
    other: Attachment,
}

fn sent() -> (History, Sent) {
    let mut history = History::new();
    let (ana, codex) = (history.person(1, "ana"), history.agent("codex"));
    let general = history.conversation(Kind::General);
    let topic = history.topic(general, &ana, Some("files"));
    let (same, other) = (history.file(&ana, b'c'), history.file(&ana, b'a'));
    let twin = history.file(&codex, b'c');
    let left = history.file(&ana, b'z');
    history.file_again(&twin, &codex, b'c');
    let delivery = [told(&codex, ContextReason::Inform)];
    let both = history.send_files(topic, &ana, &[&other, &same], &delivery);
    let again = history.send_files(topic, &ana, &[&same], &[]);
    history.tell(topic, &ana, &delivery);
    let turn = history.turn(&codex, Some(topic));
    history.hand(turn, &codex, &[both], &[]);
    history.drop_file(left.file);
    // A message carries it: it stays.
    history.drop_file(same.file);
    (history, Sent { topic, both, again, same, twin, other })
}

#[test]
fn messages_carry_their_files_in_order_wherever_they_are_read() {
    let (mut history, sent) = sent();
    let stores = same(&history);
    let logged = stores.ask(|rows| rows.message(TEAM, sent.both)).expect("it is there");
    assert_eq!(logged.message.attachments, [sent.other.clone(), sent.same.clone()]);
    let all = stores.ask(|rows| rows.messages_after(TEAM, sent.topic, 0, 10));
    let carried: Vec<usize> = all.iter().map(|logged| logged.message.attachments.len()).collect();
    assert_eq!(carried, [2, 1, 0]);
    let first = stores.ask(|rows| rows.messages_before(TEAM, sent.topic, all[1].seq, 1));
    assert_eq!(first[0].message.attachments.len(), 2);
    let turn = stores.ask(|rows| rows.last_turn(TEAM, &id("codex"))).expect("a turn").0;
    let handed = stores.ask(|rows| rows.handed(TEAM, turn.id));
    assert_eq!(handed[0].unread.message.attachments.len(), 2);
    // Before the turn and what came after it.
    history.steps.truncate(history.steps.len() - 5);
    let stores = same(&history);
    let unread = stores.ask(|rows| rows.unread_here(TEAM, &id("codex"), sent.topic, 10));
    assert_eq!(unread[0].message.attachments.len(), 2);
}

#[test]
fn what_is_in_files_is_kept_once_and_as_long_as_one_of_them_is_there() {
    let (mut history, sent) = sent();
    let stores = same(&history);
    let content = |letter: u8| stores.ask(|rows| rows.content(TEAM, FileHash([letter; 32])));
    assert_eq!(content(b'c'), Some(b"ccc".to_vec()));
    assert_eq!(content(b'z'), None, "what was left is gone");
    let loose = |who: &str| stores.ask(|rows| rows.loose(TEAM, &id(who)));
    assert_eq!(loose("human.1"), Loose::default());
    assert_eq!(loose("codex"), Loose { files: 1, bytes: 3 });
    let stale = stores.ask(|rows| rows.stale_files(at(i64::MAX), 10));
    assert_eq!(stale, [(TEAM, sent.twin.file)]);
    let twin = stores.ask(|rows| rows.file(TEAM, sent.twin.file)).expect("it is there");
    assert_eq!(stores.ask(|rows| rows.stale_files(twin.uploaded_at, 10)), stale);
    assert_eq!(stores.ask(|rows| rows.stale_files(at(twin.uploaded_at.0 - 1), 10)), []);
    let carried = stores.ask(|rows| rows.carried_in(TEAM, sent.same.file, 10));
    assert_eq!(carried, [sent.topic, sent.topic]);
    assert_eq!(stores.ask(|rows| rows.carried_in(TEAM, sent.same.file, 1)).len(), 1);
    assert!(stores.ask(|rows| rows.message(TEAM, sent.again)).is_some());
    // What an agent did not send goes with it, and what others sent that holds the same stays.
    history.then(Change::ParticipantRemoved(Participant { removed: true, ..agent("codex") }));
    let stores = same(&history);
    assert_eq!(stores.ask(|rows| rows.file(TEAM, sent.twin.file)), None);
    assert_eq!(stores.ask(|rows| rows.content(TEAM, FileHash([b'c'; 32]))), Some(b"ccc".to_vec()));
}

/// A message with words, a body and two files, one of which another message carries too and one of which somebody
/// keeps unsent under another name.
fn to_redact() -> (History, Sent) {
    let (mut history, sent) = sent();
    let (ana, codex) = (id("human.1"), id("codex"));
    let unsent = history.file(&codex, b'a');
    let plain = history.message(sent.topic, &codex, MessageType::Inform);
    let body = Some(r#"{"secret":1}"#.to_owned());
    let words = history.post(Message { body, ..plain }, &[told(&ana, ContextReason::Inform)]);
    history.redact(sent.topic, words, &ana);
    (history, Sent { twin: unsent, ..sent })
}

pub fn taken_out() -> History {
    let (mut history, sent) = to_redact();
    let ana = id("human.1");
    history.redact(sent.topic, sent.both, &ana);
    history.redact(sent.topic, sent.again, &ana);
    history
}

#[test]
fn what_is_taken_out_is_in_no_answer_and_its_files_go_unless_another_message_carries_them() {
    let (mut history, sent) = to_redact();
    let ana = id("human.1");
    let content =
        |stores: &Stores, letter: u8| stores.ask(|rows| rows.content(TEAM, FileHash([letter; 32]))).is_some();
    let stores = same(&history);
    let last = stores.ask(|rows| rows.messages_before(TEAM, sent.topic, i64::MAX, 1)).remove(0).message;
    assert_eq!((last.text.as_str(), last.body, last.mark), (REDACTED, None, None));
    let at = history.steps.last().expect("steps").0;
    assert_eq!(last.redacted, Some(Redacted { by: ana.clone(), at }));

    history.redact(sent.topic, sent.both, &ana);
    let stores = same(&history);
    let both = stores.ask(|rows| rows.message(TEAM, sent.both)).expect("it is there").message;
    assert_eq!((both.text.as_str(), both.attachments), (REDACTED, Vec::new()));
    // The one that another message carries stays; what nobody carries goes, also where it was kept unsent.
    assert!(content(&stores, b'c') && !content(&stores, b'a'));
    let gone = |stores: &Stores, file: &Attachment| stores.ask(|rows| rows.file(TEAM, file.file)).is_none();
    assert!(!gone(&stores, &sent.same) && gone(&stores, &sent.other) && gone(&stores, &sent.twin));
    let again = stores.ask(|rows| rows.message(TEAM, sent.again)).expect("it is there").message;
    assert_eq!(again.attachments, std::slice::from_ref(&sent.same));

    history.redact(sent.topic, sent.again, &ana);
    let stores = same(&history);
    assert!(!content(&stores, b'c') && gone(&stores, &sent.same));
    assert_eq!(stores.ask(|rows| rows.loose(TEAM, &id("codex"))), Loose::default());
}
