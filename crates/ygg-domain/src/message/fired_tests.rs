//! What fired is kept, read back and said.

use super::*;
use crate::id::Ids;
use crate::rule::Rule;

struct One;

impl Ids for One {
    fn next(&mut self) -> u128 {
        7 << 80
    }
}

pub trait Sample {
    fn sample() -> Self;
}

macro_rules! samples {
    ($($type:ty = $sample:expr;)*) => {$(
        impl Sample for $type {
            fn sample() -> Self {
                $sample
            }
        }
    )*};
}

samples! {
    ParticipantId = ParticipantId::person(7);
    Vec<ParticipantId> = vec![ParticipantId::person(7), ParticipantId::system()];
    MessageId = MessageId::fresh(&mut One);
    WakeId = WakeId::fresh(&mut One);
    TopicId = TopicId::fresh(&mut One);
    ConversationId = ConversationId::fresh(&mut One);
    u32 = 3;
    i64 = 12;
    WakeKind = WakeKind::Human;
    Home = Home::Made;
    Begun = Begun::ByWake;
    Because = Because::AnsweredAll;
    Payer = Payer::Wallet;
    Budget = Budget::Counted;
    Volume = Volume::Quietly;
    Handed = Handed::Taken;
    Stopped = Stopped::Workspace;
}

fn kept(fired: &Fired) -> Vec<String> {
    let mut words = Vec::new();
    fired.write(&mut |part| {
        words.push(match part {
            Part::Plain(word) => word.to_string(),
            Part::Text(text) => text.to_owned(),
        });
    });
    words
}

#[test]
fn what_fired_reads_back_as_it_was_kept() {
    for fired in Fired::each() {
        let words = kept(&fired);
        assert_eq!(words[0], fired.rule());
        assert_eq!(Fired::read(&words), fired, "{words:?}");
    }
}

#[test]
fn every_rule_that_can_fire_has_a_name_and_a_page() {
    for fired in Fired::each() {
        assert!(Rule::find(fired.rule()).is_some(), "{fired:?}");
    }
    for rule in Repair::RULES {
        assert!(Rule::find(rule).is_some(), "{rule}");
    }
}

#[test]
fn no_two_are_kept_alike() {
    let mut whats: Vec<_> = Fired::each().iter().map(|fired| kept(fired)[1].clone()).collect();
    let all = whats.len();
    whats.sort();
    whats.dedup();
    assert_eq!(whats.len(), all);
}

#[test]
fn what_another_version_kept_is_shown_as_it_stands() {
    let wake = "wak_00000000000000000000000001";
    for (words, shown) in [
        (&["M5", "type: no type"][..], "type: no type"),
        (&["K9", "flown", "b", "7"], "flown b 7"),
        (&["K1", "woken", "b"], "woken b"),
        (&["S4", "woken", "b", "human", wake], &format!("woken b human {wake}")),
        (&["K1", "woken", "b", "human", wake, "more"], &format!("woken b human {wake} more")),
        (&[], ""),
    ] {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let rule = words.first().cloned().unwrap_or_default();
        assert_eq!(Fired::read(&words), Fired::Told { rule, words: shown.to_owned() });
    }
}

#[test]
fn each_is_said_in_words_with_people_called_by_name() {
    let called = |_: &ParticipantId| "@ana".to_owned();
    for fired in Fired::each() {
        let said = fired.says(&called);
        assert!(!said.contains("human.7"), "{said}");
        let is_sentence = said.ends_with('.') && !said.contains(['{', '}']);
        assert!(is_sentence || matches!(fired, Fired::Told { .. }), "{said}");
    }
    let waits = |on| Fired::Waits { who: ParticipantId::person(7), on }.says(&called);
    assert_eq!(waits(vec![ParticipantId::system(); 2]), "@ana waits for @ana and @ana.");
    assert_eq!(waits(Vec::new()), "@ana waits for nobody that it named.");
}

/// Credits and what is left undone elsewhere are for those who see what is somebody's own.
#[test]
fn what_is_somebodys_own_is_told_apart() {
    let sender = ParticipantId::system();
    for fired in Fired::each() {
        let own = fired.own_of(&sender).map(ParticipantId::as_str);
        let expected = match kept(&fired)[1].as_str() {
            "paid" => Some("system.ygg"),
            "lacks_no_more" | "reminded" => Some("human.7"),
            _ => None,
        };
        assert_eq!(own, expected, "{fired:?}");
    }
}
