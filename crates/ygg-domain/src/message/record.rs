//! The record of a decision, for `why`: what fired is written down while it is decided, out of what was checked and of
//! the changes that each step made. So it says nothing that did not happen.

use crate::change::Change;
use crate::message::deliver::{self, Sending};
use crate::message::draft::Draft;
use crate::message::effect::{Answers, ContextReason, Effect};
use crate::message::fired::{Because, Begun, Budget, Fired, Handed, Home, Payer, Stopped, Volume};
use crate::message::recipients::Resolved;
use crate::message::send::{NewPlace, Place, SendFacts, Target, TopicFacts};
use crate::message::{Delivery, MessageType, Repair};
use crate::name::ParticipantId;
use crate::notice::NoticeKind;
use crate::participant::Participant;
use crate::topic::state::state_of;
use crate::topic::{State, Status, Topic};
use crate::wake::{Wake, WakeStatus};

pub struct Record {
    fired: Vec<Fired>,
    /// Changes that were looked at.
    seen: usize,
}

/// A send after its checks.
pub struct Checked<'a> {
    pub facts: &'a SendFacts,
    pub draft: &'a Draft,
    pub target: &'a Target<'a>,
    pub topic: &'a Topic,
    /// What opened or titled it.
    pub opening: &'a [Change],
    pub recipients: &'a [Participant],
    pub price: i64,
}

/// What people see of a topic.
#[derive(Clone, Copy)]
pub struct Marks {
    needs_human: bool,
    stalled: bool,
    looped: bool,
}

impl From<&Topic> for Marks {
    fn from(topic: &Topic) -> Self {
        let Topic { status, stalled, looped, .. } = *topic;
        Self { needs_human: status.needs_human(), stalled, looped }
    }
}

impl Record {
    pub fn of(recipients: usize) -> Self {
        Self { fired: Vec::with_capacity(8 + 2 * recipients), seen: 0 }
    }

    pub fn end(self) -> Vec<Fired> {
        self.fired
    }

    /// The changes since it was last asked.
    fn news<'a>(&mut self, changes: &'a [Change]) -> &'a [Change] {
        let from = std::mem::replace(&mut self.seen, changes.len());
        &changes[from..]
    }

    pub fn repaired(&mut self, repairs: &[Repair]) {
        self.fired.extend(repairs.iter().cloned().map(Fired::Repaired));
    }

    /// What was made of the draft, where it goes, to how many, with which title, and what it costs.
    pub fn checked(&mut self, checked: &Checked<'_>) {
        let Checked { facts, draft, target, topic, opening, recipients, price } = *checked;
        self.repaired(&draft.repairs);
        if let Target::New { .. } = target {
            let home = home(&facts.place);
            self.fired.push(Fired::Opened { topic: topic.id, conversation: topic.conversation, home });
        }
        self.resolved(facts, recipients.len());
        let titled = |change: &Change| match change {
            Change::TopicTitled { .. } => true,
            Change::TopicOpened(topic) => topic.title.is_some(),
            _ => false,
        };
        if opening.iter().any(titled) {
            self.fired.push(Fired::Titled {});
        }
        if facts.sender.id.is_agent() {
            self.fired.push(Fired::Priced { recipients: count(recipients.len()), credits: price });
            let from = match facts.funds.pot {
                crate::credits::Pot::Wallet(_) => Payer::Wallet,
                crate::credits::Pot::Pool | crate::credits::Pot::Budget(_) => Payer::Pool,
            };
            let budget = if facts.funds.budget.is_some() { Budget::Counted } else { Budget::None };
            self.fired.push(Fired::Paid { from, budget });
        }
    }

    /// A plain list of ids comes to itself, which says nothing.
    fn resolved(&mut self, facts: &SendFacts, recipients: usize) {
        let many = |resolved: &Resolved| matches!(resolved, Resolved::Many(_));
        let addresses = facts.addressed.len();
        if addresses != recipients || facts.addressed.iter().any(|(_, resolved)| many(resolved)) {
            let (addresses, recipients) = (count(addresses), count(recipients));
            self.fired.push(Fired::Resolved { addresses, recipients });
        }
        for (_, resolved) in &facts.addressed {
            let Resolved::Many(candidates) = resolved else { continue };
            let gone = candidates.iter().filter(|candidate| candidate.participant.removed);
            self.fired
                .extend(gone.map(|candidate| Fired::PassedOver { who: candidate.participant.id.clone() }));
        }
    }

    /// The debt that it settles, and its hop.
    pub fn begun(&mut self, sending: &Sending<'_>, by: Begun) {
        if let Some(debt) = sending.settled {
            self.fired.push(Fired::Settled { request: debt.request, asker: debt.creditor.clone() });
        }
        if sending.sender.id.is_agent() {
            self.fired.push(Fired::Began { hop: sending.origin.hop, by });
        }
    }

    /// What the message made of a pause, before it is delivered.
    pub fn going(&mut self, sender: &ParticipantId, was: Status, resumes: bool, changes: &[Change]) {
        for change in self.news(changes) {
            if let Change::ShortfallEnded(short) = change {
                self.fired.push(Fired::LacksNoMore { who: short.agent.clone() });
            }
        }
        if resumes {
            let waited = was.needs_human() && sender.is_person();
            self.fired.push(if waited { Fired::Resumed {} } else { Fired::GoesOn {} });
        }
    }

    /// What the message is to one recipient: the row of the table that matched, and what made it match.
    pub fn met(
        &mut self,
        sending: &Sending<'_>,
        recipient: &Participant,
        delivery: &Delivery,
        answers: Answers,
        wakes: &[Wake],
    ) {
        let who = recipient.id.clone();
        let kind = deliver::kind(sending.sender.id.kind(), sending.draft.kind);
        let stood = |id| wakes.iter().find(|wake| Some(wake.id) == id);
        let fired = match delivery.effect {
            Effect::Notify { quiet: true } => Fired::Notified { who, volume: Volume::Quietly },
            Effect::Notify { quiet: false } => Fired::Notified { who, volume: Volume::Aloud },
            Effect::Context(reason) => context(sending, who, reason, answers, stood(delivery.folded)),
            Effect::Wake => match (stood(delivery.wake), delivery.wake) {
                (Some(wake), _) => Fired::Joined { who, kind, wake: wake.id },
                (None, Some(wake)) => Fired::Woken { who, kind, wake },
                (None, None) => return,
            },
        };
        self.fired.push(fired);
        let paused = recipient.as_agent().is_some_and(|agent| agent.paused);
        if delivery.effect == Effect::Wake && (paused || sending.workspace_paused) {
            let stopped = if sending.workspace_paused { Stopped::Workspace } else { Stopped::Agent };
            self.fired.push(Fired::WaitsForPause { who: recipient.id.clone(), stopped });
        }
    }

    /// The changes of delivering were told recipient by recipient.
    pub fn delivered(&mut self, changes: &[Change]) {
        self.news(changes);
    }

    /// What a pause that ended sets going.
    pub fn resumed(&mut self, changes: &[Change]) {
        for change in self.news(changes) {
            match change {
                Change::PartySet { party, .. } => {
                    self.fired.push(Fired::WorksOn { who: party.participant.clone() });
                }
                Change::DeliveryRoused { recipient, wake, .. } => {
                    let released = Fired::Released { who: recipient.clone(), wake: *wake };
                    if self.fired.last() != Some(&released) {
                        self.fired.push(released);
                    }
                }
                _ => {}
            }
        }
    }

    /// Who is in another state than before.
    pub fn moved(&mut self, sender: &ParticipantId, known: Option<&TopicFacts>, changes: &[Change]) {
        for change in self.news(changes) {
            let Change::PartySet { party, .. } = change else { continue };
            let who = party.participant.clone();
            let before = known.and_then(|topic| state_of(&topic.standing.parties, &who));
            let woken = before == Some(&State::Done) && who != *sender && who.is_agent();
            self.fired.push(match &party.state {
                State::Informed => Fired::WasInformed { who },
                State::Working if woken => Fired::WorksAgain { who },
                State::Working => Fired::Works { who },
                State::Waiting(on) => Fired::Waits { who, on: on.clone() },
                State::NeedsHuman => Fired::NeedsPerson { who },
                State::Done => Fired::IsDone { who },
            });
        }
    }

    /// What the sender's own wakes, debts and reminders come to.
    pub fn answered(&mut self, known: Option<&TopicFacts>, done: bool, changes: &[Change]) {
        let wakes = known.map(|topic| topic.standing.wakes.as_slice()).unwrap_or_default();
        let taken = |id| wakes.iter().any(|wake| wake.id == id && wake.status == WakeStatus::Taken);
        for change in self.news(changes) {
            match change {
                Change::WakeEnded { wake, how: WakeStatus::Answered, .. } => {
                    let because = match done {
                        true => Because::Done,
                        false if taken(*wake) => Because::Wrote,
                        false => Because::AnsweredAll,
                    };
                    self.fired.push(Fired::Answered { wake: *wake, because });
                }
                Change::DeliveryRoused { message, wake, .. } => {
                    self.fired.push(Fired::CameUp { request: *message, wake: *wake });
                }
                Change::NoticeGiven(notice) => {
                    let asker = notice.recipient.clone();
                    self.fired.extend(notice.message.map(|request| Fired::LeftOwing { asker, request }));
                }
                Change::NoticeEnded { recipient, .. } => {
                    self.fired.push(Fired::NudgeOver { who: recipient.clone() });
                }
                _ => {}
            }
        }
    }

    /// What people see of the topic that they did not see before.
    pub fn marked(&mut self, before: Marks, topic: &Topic) {
        let now = Marks::from(topic);
        for (holds, fired) in [
            (now.needs_human && !before.needs_human, Fired::Paused {}),
            (now.looped && !before.looped, Fired::Shown {}),
            (before.stalled && !now.stalled, Fired::StalledNoMore {}),
        ] {
            self.fired.extend(holds.then_some(fired));
        }
    }

    /// The topic closed with the message; `closing` is what that took.
    pub fn closed(&mut self, parties: usize, closing: &[Change]) {
        if closing.is_empty() {
            return;
        }
        let of = |which: fn(&Change) -> bool| count(closing.iter().filter(|change| which(change)).count());
        self.fired.push(Fired::AllDone { parties: count(parties) });
        self.fired.push(Fired::Closed {
            wakes: of(|change| matches!(change, Change::WakeEnded { .. })),
            debts: of(|change| matches!(change, Change::DebtEnded { .. })),
        });
        for change in closing {
            match change {
                Change::ShortfallEnded(short) => {
                    self.fired.push(Fired::LacksNoMore { who: short.agent.clone() });
                }
                Change::NoticeGiven(notice) if notice.kind == NoticeKind::Resume => {
                    self.fired.push(Fired::Reminded { who: notice.recipient.clone() });
                }
                _ => {}
            }
        }
    }
}

fn home(place: &Place) -> Home {
    match place {
        Place::New(NewPlace::OnDemand { found: Some(_), .. }) => Home::Found,
        Place::New(NewPlace::OnDemand { found: None, .. }) => Home::Made,
        Place::New(NewPlace::Given { .. } | NewPlace::UnknownConversation(_))
        | Place::Unnamed
        | Place::Unknown(_)
        | Place::Topic(_) => Home::Given,
    }
}

/// Why it disturbs one recipient not.
fn context(
    sending: &Sending<'_>,
    who: ParticipantId,
    reason: ContextReason,
    answers: Answers,
    folded: Option<&Wake>,
) -> Fired {
    let is_response = sending.draft.kind == MessageType::Response;
    match reason {
        ContextReason::Inform if is_response && answers == Answers::Another => Fired::Overheard { who },
        ContextReason::Inform => Fired::Informed { who },
        ContextReason::RecipientDone => Fired::Shielded { who },
        ContextReason::TopicPaused => Fired::HeldBack { who },
        ContextReason::OrphanResponse => Fired::Unasked { who },
        ContextReason::LoopSuspected => looped(sending, who),
        ContextReason::HopLimit => Fired::TooFar { who },
        ContextReason::WakeCoalesced => match folded {
            Some(wake) if wake.status == WakeStatus::Taken => {
                Fired::Folded { who, wake: wake.id, handed: Handed::Taken }
            }
            Some(wake) => Fired::Folded { who, wake: wake.id, handed: Handed::Pending },
            None => Fired::Informed { who },
        },
    }
}

/// Which sign speaks for a loop, and what it was held against.
fn looped(sending: &Sending<'_>, who: ParticipantId) -> Fired {
    let policy = sending.policy;
    let signs = deliver::signs(sending, &who).unwrap_or_default();
    if signs.repeats == 0 {
        return Fired::BackAndForth { who, waking: signs.volley, limit: policy.loop_rounds };
    }
    let minutes = u32::try_from(policy.loop_window.as_secs() / 60).unwrap_or(u32::MAX);
    Fired::SameText { who, equal: signs.repeats, texts: policy.loop_texts, minutes }
}

fn count(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}
