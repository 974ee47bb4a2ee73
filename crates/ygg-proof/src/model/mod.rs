//! A small world in every state that it can come to. A state is all that is stored at one moment and what the clock
//! says; an action is a call of the real engine over it.

pub mod action;
pub mod alphabet;
pub mod bounds;
pub mod cast;
pub mod clocks;
pub mod law;
pub mod moment;
pub mod perform;
pub mod picture;
pub mod quiet;
pub mod rights;
pub mod state;
pub mod walk;

use std::sync::Arc;

use stateright::Property;

use action::Action;
use bounds::Bounds;
use cast::Cast;
use quiet::Rested;
use state::State;

/// Of its modules:
///
/// - `cast` is who is there, and the world at its beginning;
/// - `bounds` say how large the world is, and `action` what can happen in it; `alphabet` lists that for a state;
/// - `perform` has it happen, and `clocks` sees that nothing falls due unseen;
/// - `moment` is what is stored, read for all that compare states; `picture` tells which states are the same for everything that may still come;
/// - `law` holds what happened against the rules, `rights` what may still happen, and `quiet` how it ends when everybody
///   falls silent.
pub struct Model {
    pub bounds: Bounds,
    pub cast: Cast,
    beginning: State,
    rested: Arc<Rested>,
}

impl Model {
    pub fn new(bounds: Bounds) -> anyhow::Result<Self> {
        let (cast, stored) = Cast::gather(&bounds)?;
        let beginning = State::beginning(&bounds, &cast, stored);
        Ok(Self { bounds, cast, beginning, rested: Arc::default() })
    }
}

impl stateright::Model for Model {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![self.beginning.clone()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        // What is wrong is not gone on from: the path to it is what is shown.
        if state.wrong.is_none() {
            actions.extend(alphabet::of(self, state));
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        perform::perform(self, state, &action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("every step keeps the law", |_, state: &State| state.wrong.is_none()),
            Property::always("left alone, it comes to rest", |model: &Self, state: &State| {
                state.wrong.is_some() || quiet::why_not(model, state).is_none()
            }),
        ]
    }
}
