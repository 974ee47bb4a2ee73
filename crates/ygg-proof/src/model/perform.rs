//! An action, performed by the real engine over the state's store; and the state that it leads to.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use serde_json::{Value, json};
use ygg_domain::id::TopicId;
use ygg_domain::time::Timestamp;
use ygg_engine::{Caller, Engine, Error, ManualClock};
use ygg_store::memory::{Memory, Snapshot};
use ygg_wire::Receipt;
use ygg_wire::credits::Grant;
use ygg_wire::inbox::ReadInbox;
use ygg_wire::turn::{BeginTurn, EndTurn};

use super::action::{Action, Ending, Line, Says, Text, Type, Where, Who};
use super::bounds::Style;
use super::moment::Moment;
use super::state::{Running, State, Wrong};
use super::{Model, alphabet, cast, clocks, law, picture};

/// Passes between two actions, so that what came later is later.
const MOMENT: Duration = Duration::from_millis(1);
/// Passes until the server looks: what fell due within a moment is looked at together, in order of time.
const TICK: Duration = Duration::from_millis(50);
/// As long as may be: it ends within any wait.
const LEASE_SECONDS: u64 = 600;

/// What came of an action, besides what is stored.
pub enum Came {
    /// Of a send.
    Receipt(Box<Receipt>),
    /// Of asking for something to do: the turn that began, if one did.
    Turn(Option<String>),
    Nothing,
}

/// Futures over a store that answers at once are ready when they are first asked.
pub fn wait<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("the store in memory answers at once")
}

/// The state after the action; none where it changed nothing that counts.
pub fn perform(model: &Model, state: &State, action: &Action) -> Option<State> {
    let (after, _) = step(model, state, action)?;
    (after.print != state.print).then_some(after)
}

/// What an action does, whatever it is; none where a rule refuses it, or where nothing will ever happen by itself.
pub fn step(model: &Model, state: &State, action: &Action) -> Option<(State, Came)> {
    let now = match action {
        Action::Wait => next_moment(model, state)?,
        _ => state.now.after(MOMENT),
    };
    let memory = Arc::new(Memory::holding(&state.stored));
    let engine = model.cast.engine.over(Arc::clone(&memory) as _, Arc::new(ManualClock::at(now)));
    let engine = engine.with_counted_ids();
    let mut after = State { now, ..state.clone() };
    let came = act(model, &engine, &mut after, action);
    if let (Ok(Came::Receipt(receipt)), false) = (&came, is_looked_at(model, action))
        && receipt.outcome == "refused"
        && receipt.seq == 0
    {
        return None;
    }
    let late = clocks::look(model, &memory, &engine, now);
    drop(engine);
    let Some(stored) = memory.take() else {
        return Some((broken(after, "a write was left half done".to_owned()), Came::Nothing));
    };
    after.moment = Arc::new(Moment::of(&model.cast, &stored, now));
    after.stored = Arc::new(stored);
    let came = match came {
        Ok(came) => came,
        // A rule's no.
        Err(Error::Refused(_)) => return None,
        Err(error) => return Some((broken(after, error.to_string()), Came::Nothing)),
    };
    after.acts += u8::from(is_of_person(action));
    after.hours = after.hours.saturating_add(u8::from(*action == Action::Wait));
    after.running = after.running.iter().map(|running| still(&after.stored, model, running)).collect();
    after.wrong = late.or_else(|| law::broken(model, state, &after, action, &came));
    after.print = picture::print(&model.cast, &model.bounds, &after);
    Some((after, came))
}

/// Whether a draft that is refused leaves something behind all the same: a sign of a session, where that counts.
fn is_looked_at(model: &Model, action: &Action) -> bool {
    match action {
        Action::Send(Who::Agent(place), _) | Action::Tell(place, ..) => {
            model.cast.agents[*place].style == Style::Both
        }
        _ => true,
    }
}

fn is_of_person(action: &Action) -> bool {
    match action {
        Action::Send(who, _) => *who == Who::Person,
        Action::Close(_) | Action::Grant | Action::Pause(..) => true,
        Action::Tell(..) | Action::Read(_) | Action::Begin(_) | Action::End(..) | Action::Wait => false,
    }
}

fn broken(after: State, what: String) -> State {
    let print = u64::from_le_bytes(*b"broken!!") ^ after.print;
    State { wrong: Some(Wrong { rule: "O1", what }), print, ..after }
}

/// Turns that are over are nobody's to call by.
fn still(stored: &Snapshot, model: &Model, running: &Option<Running>) -> Option<Running> {
    let running = running.as_ref()?;
    let told = stored.rows().turn(model.cast.workspace, running.turn).ok().flatten()?;
    (told.status == ygg_domain::turn::TurnStatus::Running).then(|| running.clone())
}

fn act(model: &Model, engine: &Engine, state: &mut State, action: &Action) -> Result<Came, Error> {
    let cast = &model.cast;
    let came = match action {
        Action::Send(who, line) => {
            let caller = caller(model, state, *who);
            let receipt = wait(engine.send(&caller, draft(model, line, state.now)))?;
            Came::Receipt(Box::new(receipt))
        }
        Action::Tell(place, topic, says) => {
            let caller = caller(model, state, Who::Agent(*place));
            let mut draft = json!({ "to": "system.ygg", "type": "inform", "text": "about me", "topic_id": topic.to_string() });
            say(model, *says, &mut draft);
            Came::Receipt(Box::new(wait(engine.send(&caller, draft))?))
        }
        Action::Read(place) => {
            let read = wait(engine.inbox(&cast.agents[*place].caller, ReadInbox::default()))?;
            Came::Turn(read.turn_id)
        }
        Action::Begin(place) => begin(model, engine, state, *place)?,
        Action::End(place, how) => {
            if let Some(running) = state.running[*place].clone() {
                let outcome = match how {
                    Ending::Well => "ended",
                    Ending::Failed => "failed",
                };
                let end = EndTurn { outcome: outcome.to_owned(), ..EndTurn::default() };
                wait(engine.end_turn(&running.caller, &running.turn.to_string(), end))?;
            }
            Came::Nothing
        }
        Action::Wait => {
            wait(engine.fire_timers())?;
            Came::Nothing
        }
        Action::Close(topic) => {
            wait(engine.close_topic(&cast.owner, &topic.to_string()))?;
            Came::Nothing
        }
        Action::Grant => {
            wait(engine.grant(&cast.owner, Grant { to: "pool".to_owned(), credits: 1 }))?;
            Came::Nothing
        }
        Action::Pause(place, paused) => {
            wait(engine.pause_agent(&cast.owner, cast.agents[*place].id.as_str(), *paused))?;
            Came::Nothing
        }
    };
    Ok(came)
}

fn begin(model: &Model, engine: &Engine, state: &mut State, place: usize) -> Result<Came, Error> {
    let asked = BeginTurn { taker: "relay".to_owned(), topic_id: None, lease_seconds: Some(LEASE_SECONDS) };
    let Some(handed) = wait(engine.begin_turn(&model.cast.agents[place].caller, asked))?.turn else {
        return Ok(Came::Turn(None));
    };
    let caller = Arc::new(wait(engine.authenticate(None, &handed.key))?);
    if let Ok(turn) = handed.id.parse() {
        state.running[place] = Some(Running { turn, caller });
    }
    Ok(Came::Turn(Some(handed.id)))
}

/// By the key of its turn where one runs, else by its own.
fn caller(model: &Model, state: &State, who: Who) -> Caller {
    match who {
        Who::Person => model.cast.owner.clone(),
        Who::Agent(place) => match &state.running[place] {
            Some(running) => Caller::clone(&running.caller),
            None => model.cast.agents[place].caller.clone(),
        },
    }
}

fn draft(model: &Model, line: &Line, now: Timestamp) -> Value {
    let text = match line.text {
        Text::New => format!("line {}", now.0),
        Text::Same => cast::SAME.to_owned(),
    };
    let to: Vec<String> = line.to.members().map(|who| address(model, who)).collect();
    let mut draft = json!({ "to": to, "type": alphabet::kind(line.kind).name(), "text": text });
    if let Type::Response(Some(request)) = line.kind {
        draft["in_reply_to"] = json!(request.to_string());
    }
    match line.place {
        Where::Nowhere => {}
        Where::In(topic) => draft["topic_id"] = json!(topic.to_string()),
        Where::New => {
            draft["topic_id"] = json!("new");
            draft["conversation_id"] = json!(model.cast.conversation.to_string());
        }
    }
    // Ignored where one stands [T2].
    draft["title"] = json!("title");
    say(model, line.says, &mut draft);
    draft
}

fn say(model: &Model, says: Says, draft: &mut Value) {
    let state = match says {
        Says::Nothing => return,
        Says::Working => "working",
        Says::Waiting(_) => "waiting",
        Says::NeedsHuman => "needs_human",
        Says::Done => "done",
    };
    draft["state"] = json!(state);
    if let Says::Waiting(on) = says {
        draft["waiting_for"] = on.members().map(|who| json!(address(model, who))).collect();
    }
}

fn address(model: &Model, who: Who) -> String {
    match who {
        Who::Agent(place) => model.cast.agents[place].id.to_string(),
        Who::Person => model.cast.person.to_string(),
    }
}

/// The next moment at which something falls due, or an agent that is run may be handed what it was not handed before.
/// None when nothing ever changes again by itself.
fn next_moment(model: &Model, state: &State) -> Option<Timestamp> {
    let moment = &state.moment;
    let topics = moment.topics.iter().filter_map(|topic| topic.due);
    let turns = moment.turns.iter().filter(|turn| turn.runs).map(|turn| turn.due);
    let mut next = topics.chain(turns).min();
    for (place, agent) in moment.agents.iter().enumerate() {
        if model.cast.agents[place].style.is_run() && moment.pending(place).next().is_some() {
            let retried = moment.pending(place).filter_map(|wake| wake.not_before);
            let ahead = retried.chain(agent.attended_until).filter(|at| *at > state.now).min();
            next = [next, ahead].into_iter().flatten().min();
        }
    }
    Some(next?.max(state.now).after(TICK))
}

/// Whether the person is told that the topic waits for them [S3, C4].
pub fn is_listed(model: &Model, state: &State, topic: TopicId) -> bool {
    let memory = Arc::new(Memory::holding(&state.stored));
    let engine = model.cast.engine.over(memory, Arc::new(ManualClock::at(state.now)));
    let needs = wait(engine.needs_you(&model.cast.owner)).unwrap_or_default();
    let names_it = |topic_id: &Option<String>| topic_id.as_deref() == Some(&topic.to_string());
    needs
        .iter()
        .any(|need| matches!(need.kind.as_str(), "needs_human" | "credits") && names_it(&need.topic_id))
}
