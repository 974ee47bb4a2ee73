//! The facts of one send, loaded inside its transaction: just what the rules look at.

use ygg_domain::conversation::Conversation;
use ygg_domain::conversation::access::Ties;
use ygg_domain::credits::{Funds, Pot};
use ygg_domain::id::{MessageId, TopicId, WakeId};
use ygg_domain::message::draft::{ConversationNamed, Declared, Keyed, TopicNamed};
use ygg_domain::message::recipients::{Addressed, Candidate, Resolved, place};
use ygg_domain::message::send::{NamedDebt, NewPlace, Place, SendFacts, TopicFacts};
use ygg_domain::message::{Draft, MessageType};
use ygg_domain::name::{Address, Handle, ParticipantId};
use ygg_domain::notice::Notice;
use ygg_domain::participant::Participant;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::state::state_of;
use ygg_domain::topic::{Standing, State, Status};
use ygg_domain::wake::{Wake, WakeKind, WakeStatus};
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Error, Result, Rows};

use crate::standing::{self, Debts};
use crate::unfinished::unfinished;

use super::loops;

/// `draft` is none when it could not be understood: then only the sender counts. What its key may do is the
/// caller's to say.
pub fn load(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    sender: &ParticipantId,
    draft: Option<&Draft>,
    now: Timestamp,
) -> Result<SendFacts> {
    let home = rows.workspace(workspace)?.ok_or_else(|| missing("workspace"))?;
    let sender = rows.participant(workspace, sender)?.ok_or_else(|| missing("sender"))?;
    let mut facts = SendFacts {
        workspace_paused: home.paused,
        turn: None,
        over_rate: None,
        prior: None,
        place: Place::Unnamed,
        addressed: Vec::new(),
        awaited: Vec::new(),
        held: Vec::new(),
        funds: Funds { pot: Pot::Pool, balance: 0, budget: None },
        shortfalls: rows.shortfalls(workspace)?,
        loops: Vec::new(),
        files: Vec::new(),
        sender,
        policy: home.policy,
    };
    let Some(draft) = draft else { return Ok(facts) };
    let loader = Loader { rows, workspace, sender: &facts.sender };
    let scene = loader.scene(draft)?;
    facts.addressed = loader.addressed(&draft.to, &scene)?;
    facts.awaited = loader.awaited(&draft.waiting_for, &scene)?;
    if let Some(Keyed { key, .. }) = &draft.key {
        let since =
            Timestamp(now.0 - i64::try_from(facts.policy.idempotency.as_millis()).unwrap_or(i64::MAX));
        facts.prior = rows.prior_send(workspace, &facts.sender.id, key, since)?;
    }
    let topic = scene.standing.as_ref().map(|standing| standing.topic.id);
    if facts.sender.id.is_agent() {
        facts.funds = funds(rows, workspace, &facts.sender.id, topic)?;
        if loader.may_take_a_place(draft, &scene) {
            facts.held = rows.held_topics(workspace, &facts.sender.id)?;
        }
    }
    if draft.kind == MessageType::Request && facts.sender.id.is_agent() {
        facts.loops = loops::load(rows, workspace, &facts.sender.id, draft, topic, &facts, now)?;
    }
    facts.place = loader.place(draft, scene, &facts.addressed, &facts.awaited)?;
    Ok(facts)
}

/// `waiting_for`, looked up.
type Awaited = Vec<(Address, Vec<ParticipantId>)>;

/// What an agent pays from: its wallet where it has one, else the pool; and the topic's budget [C2].
pub fn funds(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
    topic: Option<TopicId>,
) -> Result<Funds> {
    let wallet = Pot::Wallet(agent.clone());
    let (pot, balance) = match rows.balance(workspace, &wallet)? {
        Some(balance) => (wallet, balance),
        None => (Pot::Pool, rows.balance(workspace, &Pot::Pool)?.unwrap_or(0)),
    };
    let budget = match topic {
        Some(topic) => rows.balance(workspace, &Pot::Budget(topic))?.map(|left| (topic, left)),
        None => None,
    };
    Ok(Funds { pot, balance, budget })
}

struct Loader<'a> {
    rows: &'a dyn Rows,
    workspace: WorkspaceKey,
    sender: &'a Participant,
}

/// The conversation and topic that a draft names, as far as they are there.
#[derive(Default)]
struct Scene {
    conversation: Option<Conversation>,
    standing: Option<Standing>,
}

impl Scene {
    fn is_party(&self, id: &ParticipantId) -> bool {
        self.standing.as_ref().is_some_and(|standing| state_of(&standing.parties, id).is_some())
    }
}

/// A row that everything else hangs on is gone: no rule can answer that.
fn missing(what: &'static str) -> Error {
    Error::Corrupt { what, value: "its row is missing".to_owned() }
}

impl Loader<'_> {
    /// Whether the send could give the sender one more topic to hold [T3]: it opens one, or takes one back.
    fn may_take_a_place(&self, draft: &Draft, scene: &Scene) -> bool {
        let takes_back = |standing: &Standing| {
            standing.topic.opener == self.sender.id
                && state_of(&standing.parties, &self.sender.id) == Some(&State::Done)
        };
        draft.topic == TopicNamed::New || scene.standing.as_ref().is_some_and(takes_back)
    }

    fn scene(&self, draft: &Draft) -> Result<Scene> {
        match (&draft.topic, &draft.conversation) {
            (TopicNamed::Id(id), _) => {
                let debts = match draft.state {
                    Some(Declared::Done) => Debts::Loaded,
                    Some(Declared::Working | Declared::Waiting | Declared::NeedsHuman) | None => {
                        Debts::LeftOut
                    }
                };
                let standing = standing::load(self.rows, self.workspace, *id, debts)?;
                let conversation = match &standing {
                    Some(standing) => self.rows.conversation(self.workspace, standing.topic.conversation)?,
                    None => None,
                };
                Ok(Scene { conversation, standing })
            }
            (TopicNamed::New, Some(ConversationNamed::Id(id))) => {
                Ok(Scene { conversation: self.rows.conversation(self.workspace, *id)?, ..Scene::default() })
            }
            (TopicNamed::New, Some(ConversationNamed::Nonsense(_)) | None)
            | (TopicNamed::None | TopicNamed::Nonsense(_), _) => Ok(Scene::default()),
        }
    }

    fn addressed(&self, to: &[Address], scene: &Scene) -> Result<Addressed> {
        to.iter().map(|address| Ok((address.clone(), self.resolve(address, scene)?))).collect()
    }

    fn resolve(&self, address: &Address, scene: &Scene) -> Result<Resolved> {
        let one = |found: Option<Participant>| {
            found.map_or(Ok(Resolved::Unknown), |found| self.candidate(found, scene).map(Resolved::One))
        };
        match address {
            Address::Nonsense(_) => Ok(Resolved::Unknown),
            Address::Id(id) => one(self.rows.participant(self.workspace, id)?),
            Address::At(handle) => one(self.at(handle)?),
            Address::Group(name) => match self.rows.group(self.workspace, name)? {
                None => Ok(Resolved::Unknown),
                Some(group) => self.many(group.members, scene),
            },
            Address::Conversation => match &scene.conversation {
                None => Ok(Resolved::Unknown),
                Some(conversation) => self.many(self.rows.stints(self.workspace, conversation.id)?, scene),
            },
        }
    }

    /// `@name` is a person's handle, or an agent's id [W2].
    fn at(&self, handle: &Handle) -> Result<Option<Participant>> {
        if let Some(person) = self.rows.person_by_handle(self.workspace, handle)? {
            return Ok(Some(person));
        }
        match ParticipantId::agent(handle.as_str()) {
            Ok(id) => self.rows.participant(self.workspace, &id),
            Err(_) => Ok(None),
        }
    }

    fn many(&self, ids: Vec<ParticipantId>, scene: &Scene) -> Result<Resolved> {
        let mut candidates = Vec::with_capacity(ids.len());
        for id in ids {
            if let Some(found) = self.rows.participant(self.workspace, &id)? {
                candidates.push(self.candidate(found, scene)?);
            }
        }
        Ok(Resolved::Many(candidates))
    }

    fn candidate(&self, participant: Participant, scene: &Scene) -> Result<Candidate> {
        let party = scene.is_party(&participant.id);
        // Either tie does, so the second is asked only where the first is missing.
        let stint = match &scene.conversation {
            Some(conversation) if !party => {
                self.rows.has_stint(self.workspace, conversation.id, &participant.id)?
            }
            Some(_) | None => false,
        };
        let ties = Ties { stint, party, operates: false };
        Ok(Candidate { participant, ties })
    }

    fn awaited(&self, named: &[Address], scene: &Scene) -> Result<Awaited> {
        let mut awaited = Vec::with_capacity(named.len());
        for address in named {
            let candidates = match self.resolve(address, scene)? {
                Resolved::Unknown => Vec::new(),
                Resolved::One(candidate) => vec![candidate],
                Resolved::Many(candidates) => candidates,
            };
            let ids = candidates.into_iter().map(|candidate| candidate.participant.id).collect();
            awaited.push((address.clone(), ids));
        }
        Ok(awaited)
    }

    fn place(&self, draft: &Draft, scene: Scene, addressed: &Addressed, awaited: &Awaited) -> Result<Place> {
        match &draft.topic {
            TopicNamed::None => Ok(Place::Unnamed),
            TopicNamed::Nonsense(text) => Ok(Place::Unknown(text.clone())),
            TopicNamed::Id(id) => match scene.standing {
                Some(standing) => Ok(Place::Topic(Box::new(self.topic(draft, awaited, standing)?))),
                None => Ok(Place::Unknown(id.to_string())),
            },
            TopicNamed::New => Ok(Place::New(self.new_place(draft, scene, addressed)?)),
        }
    }

    fn new_place(&self, draft: &Draft, scene: Scene, addressed: &Addressed) -> Result<NewPlace> {
        match (&draft.conversation, scene.conversation) {
            (Some(_), Some(conversation)) => {
                let stint = self.rows.has_stint(self.workspace, conversation.id, &self.sender.id)?;
                Ok(NewPlace::Given { conversation, ties: Ties { stint, ..Ties::default() } })
            }
            (Some(ConversationNamed::Id(id)), None) => Ok(NewPlace::UnknownConversation(id.to_string())),
            (Some(ConversationNamed::Nonsense(text)), None) => {
                Ok(NewPlace::UnknownConversation(text.clone()))
            }
            (None, _) => {
                let kind = place(&self.sender.id, addressed);
                let found = match &kind {
                    Some(kind) => self.rows.conversation_of_kind(self.workspace, kind)?.map(|found| found.id),
                    None => None,
                };
                Ok(NewPlace::OnDemand { kind, found })
            }
        }
    }

    /// What the sender owes to a request of the topic [M4].
    fn named_debt(&self, request: MessageId, topic: TopicId) -> Result<Option<NamedDebt>> {
        let Some(debt) = self.rows.open_debt(self.workspace, request, &self.sender.id)? else {
            return Ok(None);
        };
        let last_of_wake = !self.rows.shares_wake(self.workspace, topic, &debt)?;
        Ok(Some(NamedDebt { debt, last_of_wake }))
    }

    /// What those who were reminded in the topic were told and have not read, and which of the wakes of reminders carry
    /// a message besides, or have one to come up behind them [S2, K3].
    fn reminded(&self, topic: TopicId, standing: &Standing) -> Result<(Vec<Notice>, Vec<WakeId>)> {
        let under_way = |wake: &&Wake| wake.kind == WakeKind::Nudge && wake.status == WakeStatus::Pending;
        let nudging: Vec<&Wake> = standing.wakes.iter().filter(under_way).collect();
        if nudging.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let reminded: Vec<ParticipantId> = nudging.iter().map(|wake| wake.agent.clone()).collect();
        let notices = self.rows.pending_here(self.workspace, topic, &reminded)?;
        let mut carrying = Vec::new();
        for wake in nudging {
            let folded = || self.rows.folded(self.workspace, &wake.agent, topic);
            if self.rows.carries_unread(self.workspace, wake)?
                || folded()?.iter().any(|fold| fold.wake == wake.id)
            {
                carrying.push(wake.id);
            }
        }
        Ok((notices, carrying))
    }

    /// What is between the topic and the sender.
    fn topic(&self, draft: &Draft, awaited: &Awaited, standing: Standing) -> Result<TopicFacts> {
        let (rows, workspace, id) = (self.rows, self.workspace, standing.topic.id);
        let party = state_of(&standing.parties, &self.sender.id).is_some();
        let stint = !party && rows.has_stint(workspace, standing.topic.conversation, &self.sender.id)?;
        let reply_to = match draft.in_reply_to {
            Some(request) => rows.asker(workspace, request, id)?,
            None => None,
        };
        let named = match (draft.in_reply_to, &reply_to) {
            (Some(request), Some(_)) => self.named_debt(request, id)?,
            (Some(_), None) | (None, _) => None,
        };
        let done = draft.state == Some(Declared::Done);
        let (notices, carrying) = self.reminded(id, &standing)?;
        let mut standing = standing;
        if !notices.is_empty() && !done {
            standing.debts = rows.open_debts(workspace, id)?;
        }
        let held_back = match standing.topic.status {
            Status::Paused(_) => rows.held_back(workspace, id)?,
            Status::Open | Status::Closed => Vec::new(),
        };
        let others_done = standing
            .parties
            .iter()
            .all(|party| party.participant == self.sender.id || party.state == State::Done);
        // Asked where the topic closes with this message, and of its messages where somebody is to be reminded.
        let unfinished = match done && others_done {
            true => unfinished(rows, workspace, &standing, Some(&self.sender.id))?,
            false => Vec::new(),
        };
        let farthest = if unfinished.is_empty() { None } else { rows.farthest(workspace, id)? };
        let mut own = standing.wakes.iter().filter(|wake| wake.agent == self.sender.id);
        let one_may_end = own.any(|wake| {
            wake.status == WakeStatus::Taken || named.as_ref().is_some_and(|named| named.last_of_wake)
        });
        let folded =
            if one_may_end && !done { rows.folded(workspace, &self.sender.id, id)? } else { Vec::new() };
        let mut debtors = Vec::new();
        for other in awaited.iter().flat_map(|(_, ids)| ids) {
            if rows.owes(workspace, id, other, &self.sender.id)? {
                debtors.push(other.clone());
            }
        }
        Ok(TopicFacts {
            standing,
            ties: Ties { stint, party, operates: false },
            named,
            debtors,
            folded,
            reply_to,
            held_back,
            notices,
            carrying,
            unfinished,
            farthest,
        })
    }
}
