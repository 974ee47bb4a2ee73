//! What `why` shows: each rule that fired while a message was decided, with the facts that it used. Kept with the
//! message as words, and made into a sentence when somebody asks.

use std::fmt::Display;

use crate::id::{ConversationId, MessageId, TopicId, WakeId};
use crate::message::Repair;
use crate::name::ParticipantId;
use crate::wake::WakeKind;

/// One word of the kept form.
pub enum Part<'a> {
    /// An id, a number, a name out of a closed set: nothing in it that anybody wrote.
    Plain(&'a dyn Display),
    /// Words that may be anybody's.
    Text(&'a str),
}

/// Where the words of a decision go.
pub type Out<'a> = dyn FnMut(Part<'_>) + 'a;

/// How a participant is called.
pub type Called<'a> = dyn Fn(&ParticipantId) -> String + 'a;

/// A fact: a word of the kept form, back, and part of a sentence.
trait Fact: Sized {
    fn write(&self, out: &mut Out<'_>);
    fn read(word: &str) -> Option<Self>;
    fn say(&self, called: &Called<'_>) -> String;
}

macro_rules! plain {
    ($($type:ty)*) => {$(
        impl Fact for $type {
            fn write(&self, out: &mut Out<'_>) {
                out(Part::Plain(self));
            }

            fn read(word: &str) -> Option<Self> {
                word.parse().ok()
            }

            fn say(&self, _: &Called<'_>) -> String {
                self.to_string()
            }
        }
    )*};
}

plain! { MessageId WakeId TopicId ConversationId u32 i64 }

impl Fact for ParticipantId {
    fn write(&self, out: &mut Out<'_>) {
        out(Part::Plain(self));
    }

    fn read(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    fn say(&self, called: &Called<'_>) -> String {
        called(self)
    }
}

/// Those somebody waits for.
impl Fact for Vec<ParticipantId> {
    fn write(&self, out: &mut Out<'_>) {
        let ids: Vec<&str> = self.iter().map(ParticipantId::as_str).collect();
        out(Part::Plain(&ids.join(" ")));
    }

    fn read(word: &str) -> Option<Self> {
        word.split_whitespace().map(|id| id.parse().ok()).collect()
    }

    fn say(&self, called: &Called<'_>) -> String {
        let names: Vec<String> = self.iter().map(called).collect();
        if names.is_empty() { "nobody that it named".to_owned() } else { names.join(" and ") }
    }
}

impl Fact for WakeKind {
    fn write(&self, out: &mut Out<'_>) {
        out(Part::Plain(&self.name()));
    }

    fn read(word: &str) -> Option<Self> {
        Self::read(word)
    }

    fn say(&self, _: &Called<'_>) -> String {
        match self {
            Self::Request => "A request wakes the agent that it asks",
            Self::Response => "A response wakes the agent that asked",
            Self::Human => "A person wakes the agents that they address",
            Self::Hook => "A webhook wakes the agent that it is bound to",
            Self::Own => "An agent may book a wake for itself",
            Self::ClosurePoll | Self::Nudge | Self::Resume | Self::Refilled | Self::RecipientGone => {
                "A notice of the backend wakes the agent that it is for"
            }
        }
        .to_owned()
    }
}

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident { $($member:ident = $word:literal, $said:literal;)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($member,)*
        }

        impl Fact for $name {
            fn write(&self, out: &mut Out<'_>) {
                let name = match self {
                    $(Self::$member => $word,)*
                };
                out(Part::Plain(&name));
            }

            fn read(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$member),)*
                    _ => None,
                }
            }

            fn say(&self, _: &Called<'_>) -> String {
                match self {
                    $(Self::$member => $said,)*
                }
                .to_owned()
            }
        }
    )*};
}

names! {
    /// How a new topic came to its conversation [M6].
    Home {
        Given = "given", "the conversation that the draft named";
        Found = "found", "the conversation that follows from its recipients";
        Made = "made", "a conversation that was made for its recipients";
    }

    /// What a send is paid from [C2].
    Payer {
        Pool = "pool", "the workspace's pool";
        Wallet = "wallet", "the sender's wallet";
    }

    /// Whether the topic's budget bears it as well.
    Budget {
        None = "-", "";
        Counted = "budget", ", and counted against the topic's budget";
    }

    /// What gave a message its hop [H1].
    Begun {
        ByAnswer = "answer", "it is an answer, one hop farther than what it answers";
        ByWake = "wake", "one hop farther than the farthest wake that the sender has taken here";
        ByLine = "line", "the sender was woken here by a person who operates it";
        ByItself = "itself", "no wake that the sender has taken here led to it";
    }

    Volume {
        Aloud = "aloud", "";
        Quietly = "quietly", " quietly, for it is an inform";
    }

    /// How far the wake had come that a message was folded into.
    Handed {
        Pending = "pending", "that nobody has taken yet";
        Taken = "taken", "that it is at work on";
    }

    Stopped {
        Agent = "agent", "It is paused";
        Workspace = "workspace", "The workspace is paused";
    }

    /// Why a wake of the sender is answered [K2].
    Because {
        Wrote = "wrote", "the sender had taken it and wrote here";
        AnsweredAll = "answered_all", "every request in it has its answer";
        Done = "done", "the sender is done here";
    }
}

macro_rules! facts {
    ($($(#[$doc:meta])*
       $name:ident { $($field:ident: $type:ty),* } = $rule:literal, $word:literal, $says:literal;)*) => {
        /// A rule that fired, with what it looked at.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Fired {
            /// Something of the draft was dropped or changed.
            Repaired(Repair),
            $($(#[$doc])* $name { $($field: $type),* },)*
            /// Kept in words that this version does not know.
            Told { rule: String, words: String },
        }

        impl Fired {
            pub fn rule(&self) -> &str {
                match self {
                    Self::Repaired(repair) => repair.rule,
                    $(Self::$name { .. } => $rule,)*
                    Self::Told { rule, .. } => rule,
                }
            }

            /// The kept form, word by word: the rule, what it did, what it looked at.
            pub fn write(&self, out: &mut Out<'_>) {
                match self {
                    Self::Repaired(Repair { rule, field, note }) => {
                        out(Part::Plain(rule));
                        out(Part::Plain(&REPAIRED));
                        out(Part::Text(field));
                        out(Part::Text(note));
                    }
                    $(Self::$name { $($field),* } => {
                        out(Part::Plain(&$rule));
                        out(Part::Plain(&$word));
                        $($field.write(out);)*
                    })*
                    Self::Told { rule, words } => {
                        out(Part::Text(rule));
                        out(Part::Text(words));
                    }
                }
            }

            /// A sentence or two.
            #[allow(unused_variables, reason = "not every fact is worth saying")]
            pub fn says(&self, called: &Called<'_>) -> String {
                match self {
                    Self::Repaired(Repair { field, note, .. }) => format!("{field}: {note}."),
                    $(Self::$name { $($field),* } => {
                        $(let $field = $field.say(called);)*
                        format!($says)
                    })*
                    Self::Told { words, .. } => words.clone(),
                }
            }

            fn known(words: &[String]) -> Option<Self> {
                let (rule, what, facts) = (words.first()?, words.get(1)?, words.get(2..)?);
                let mut facts = facts.iter();
                let found = match what.as_str() {
                    REPAIRED => {
                        let rule = Repair::RULES.into_iter().find(|known| rule == known)?;
                        Self::Repaired(Repair::new(rule, facts.next()?, facts.next()?))
                    }
                    $($word => Self::$name { $($field: Fact::read(facts.next()?)?),* },)*
                    _ => return None,
                };
                (facts.next().is_none() && found.rule() == rule).then_some(found)
            }

            /// One of each, for tests of what is done with them.
            #[cfg(test)]
            fn each() -> Vec<Self> {
                vec![
                    Self::Repaired(Repair::new("M5", "a \"field\"", "dropped: why,\nin words")),
                    $(Self::$name { $($field: tests::Sample::sample()),* },)*
                    Self::Told { rule: "M5".to_owned(), words: "type: no type".to_owned() },
                ]
            }
        }
    };
}

const REPAIRED: &str = "repaired";

facts! {
    Opened { topic: TopicId, conversation: ConversationId, home: Home } =
        "M6", "opened", "The message opened its topic, in {home}.";
    Resolved { addresses: u32, recipients: u32 } =
        "M7", "resolved", "Entries of `to`: {addresses}. Participants that they stood for, the sender left out: {recipients}.";
    PassedOver { who: ParticipantId } = "M7", "passed_over", "{who} was removed, and passed over.";
    Titled {} = "T2", "titled", "The topic has its title from this message.";
    Priced { recipients: u32, credits: i64 } =
        "C1", "priced", "Credits: {credits}, which is 1 for each started 1,000 characters and recipient. Recipients: {recipients}.";
    Paid { from: Payer, budget: Budget } = "C2", "paid", "Paid from {from}{budget}.";
    Settled { request: MessageId, asker: ParticipantId } =
        "M4", "settled", "It is the answer that {asker} was owed for {request}.";
    Began { hop: u32, by: Begun } = "H1", "began", "Hop {hop}: {by}.";

    Resumed {} = "S3", "resumed", "A person wrote, so the topic goes on.";
    LacksNoMore { who: ParticipantId } =
        "C4", "lacks_no_more", "The topic waits no longer for what {who} lacked in credits.";
    GoesOn {} = "C4", "goes_on", "It waits for no credits any more, so the topic goes on.";
    /// What a pause held back wakes now.
    Released { who: ParticipantId, wake: WakeId } =
        "S3", "released", "While the topic stood still, something was sent to {who} that needs it: it is woken now ({wake}).";
    WorksOn { who: ParticipantId } = "S3", "works_on", "{who} needed a person, and works again.";

    Woken { who: ParticipantId, kind: WakeKind, wake: WakeId } = "K1", "woken", "{kind}: {who} is woken ({wake}).";
    Notified { who: ParticipantId, volume: Volume } =
        "K1", "notified", "Only agents are woken: {who}, a person, is notified{volume}.";
    Joined { who: ParticipantId, kind: WakeKind, wake: WakeId } =
        "K3", "joined", "{kind}; {who} has a wake here that nobody has taken yet ({wake}), and this message joins it.";
    Folded { who: ParticipantId, wake: WakeId, handed: Handed } =
        "K3", "folded", "{who} has an unanswered wake here {handed} ({wake}): the request is folded into it, and its answer is owed.";
    WaitsForPause { who: ParticipantId, stopped: Stopped } =
        "K5c", "waits_for_pause", "{stopped}: the wake of {who} waits until that is over.";
    Informed { who: ParticipantId } = "M3", "informed", "An inform wakes nobody: {who} has it as context.";
    Overheard { who: ParticipantId } =
        "M3", "overheard", "It answers somebody else's request: {who} has it as context.";
    Shielded { who: ParticipantId } =
        "S4", "shielded", "{who} is done here, and no agent can wake it: it has the message as context.";
    HeldBack { who: ParticipantId } =
        "S3", "held_back", "The topic stands still: {who} has the message as context until it goes on.";
    Unasked { who: ParticipantId } =
        "M4", "unasked", "It answers nothing that {who} is still owed: {who} has it as context.";
    SameText { who: ParticipantId, equal: u32, texts: u32, minutes: u32 } =
        "L1", "same_text",
        "Messages of the sender to {who} that said the same: {equal}, looking at its last {texts} here and at those of the last {minutes} minutes anywhere. It looks like a loop, so {who} has it as context.";
    BackAndForth { who: ParticipantId, waking: u32, limit: u32 } =
        "L2", "back_and_forth",
        "Waking messages in a row between the sender and {who}, with nobody in between: {waking}; the limit is {limit}. It looks like a loop, so {who} has it as context.";
    TooFar { who: ParticipantId } =
        "H2", "too_far", "It is beyond the hop limit: {who} has the answer as context.";

    Works { who: ParticipantId } = "S1", "works", "{who} works here now.";
    WasInformed { who: ParticipantId } = "S1", "was_informed", "{who} is a party now that was informed and nothing else.";
    Waits { who: ParticipantId, on: Vec<ParticipantId> } = "S2", "waits", "{who} waits for {on}.";
    NeedsPerson { who: ParticipantId } = "S3", "needs_person", "{who} needs a person.";
    IsDone { who: ParticipantId } = "S4", "is_done", "{who} is done here.";
    /// It was done, and a person woke it.
    WorksAgain { who: ParticipantId } = "S4", "works_again", "{who} was done here; woken by a person, it works again.";

    /// A wake of the sender.
    Answered { wake: WakeId, because: Because } = "K2", "answered", "It answers {wake}: {because}.";
    CameUp { request: MessageId, wake: WakeId } =
        "K3", "came_up", "{request} had been folded into a wake that is over, and was not handed out: it comes up again ({wake}).";
    LeftOwing { asker: ParticipantId, request: MessageId } =
        "S4", "left_owing", "{asker} is told that the sender is done without an answer to {request}.";
    NudgeOver { who: ParticipantId } =
        "S2", "nudge_over", "The wait is over: a reminder that {who} had not read is taken back.";
    StalledNoMore {} = "S2", "stalled_no_more", "The topic is stalled no more.";

    Paused {} = "S3", "paused", "The topic stands still until a person writes in it.";
    Shown {} = "L3", "shown", "People are shown that a loop is suspected in the topic, this once.";
    AllDone { parties: u32 } = "S5", "all_done", "Everybody with a part in the topic is done ({parties}), so it closes.";
    Closed { wakes: u32, debts: u32 } =
        "S7", "closed", "What was pending in the topic ends with it. Wakes: {wakes}, answers owed: {debts}.";
    /// Of something that it left unfinished elsewhere.
    Reminded { who: ParticipantId } =
        "K4", "reminded", "{who} is reminded of what it has left unfinished.";
}

impl Fired {
    /// A rule out of its kept form. What is not known is shown as it was written.
    pub fn read(words: &[String]) -> Self {
        Self::known(words).unwrap_or_else(|| {
            let mut words = words.iter();
            let rule = words.next().cloned().unwrap_or_default();
            let words: Vec<&str> = words.map(String::as_str).collect();
            Self::Told { rule, words: words.join(" ") }
        })
    }

    /// Whose own matter it is, when it is one: who reads the message need not see it [W3].
    pub fn own_of<'a>(&'a self, sender: &'a ParticipantId) -> Option<&'a ParticipantId> {
        if let Self::LacksNoMore { who } | Self::Reminded { who } = self {
            return Some(who);
        }
        matches!(self, Self::Paid { .. }).then_some(sender)
    }
}

#[cfg(test)]
#[path = "fired_tests.rs"]
mod tests;
