//! The model itself: what it says of a world, and that it can say no.

use std::time::Duration;

use stateright::{Checker, Model as _};
use ygg_proof::model::action::{Action, Crowd, Line, Says, Text, Type, Where, Who};
use ygg_proof::model::bounds::{Bounds, Style, Ways, Words};
use ygg_proof::model::perform::Came;
use ygg_proof::model::walk::walk;
use ygg_proof::model::{Model, law, perform, quiet};

fn world(agents: &[Style], credits: i64, acts: u8) -> Model {
    let bounds = Bounds {
        name: "test",
        agents: agents.to_vec(),
        topics: 1,
        credits,
        acts,
        words: Words::Few,
        hours: 0,
        ways: Ways::Every,
    };
    Model::new(bounds).expect("a small world can be founded")
}

fn ask(to: usize) -> Line {
    let to = Crowd::of([Who::Agent(to)]);
    Line { to, place: Where::New, kind: Type::Request, says: Says::Nothing, text: Text::New }
}

/// Every way of a smallest world: agents wake no more than they paid for, and it comes to rest [L4].
#[test]
fn every_way_of_a_smallest_world_keeps_the_law() {
    let checked = world(&[Style::Live, Style::Live], 1, 0).checker().spawn_dfs().join();
    checked.assert_properties();
    assert!(checked.unique_state_count() > 50, "{}", checked.unique_state_count());
}

#[test]
fn it_makes_no_difference_who_is_called_what() {
    let model = world(&[Style::Live, Style::Live], 1, 0);
    let beginning = &model.init_states()[0];
    let said = |who: usize| {
        let action = Action::Send(Who::Agent(who), ask(1 - who));
        model.next_state(beginning, action).unwrap()
    };
    assert_eq!(said(0), said(1));
    assert_ne!(said(0), *beginning);
    let unlike = world(&[Style::Live, Style::Both], 1, 0);
    let beginning = &unlike.init_states()[0];
    let said =
        |who: usize| unlike.next_state(beginning, Action::Send(Who::Agent(who), ask(1 - who))).unwrap();
    assert_ne!(said(0), said(1));
}

/// A step taken backwards forgets a message, gives a credit back and unmakes a wake.
#[test]
fn a_step_against_the_law_is_seen() {
    let model = world(&[Style::Live, Style::Live], 1, 0);
    let before = &model.init_states()[0];
    let action = Action::Send(Who::Agent(0), ask(1));
    let (after, came) = perform::step(&model, before, &action).unwrap();
    assert_eq!(law::broken(&model, before, &after, &action, &came), None);
    assert_eq!(law::broken(&model, &after, before, &action, &came).unwrap().rule, "M2");
    let wrong = law::broken(&model, before, &after, &Action::Wait, &Came::Nothing).unwrap();
    assert_eq!(wrong.rule, "C1");
}

#[test]
fn silence_ends_with_every_topic_closed() {
    let model = world(&[Style::Live, Style::Run], 1, 0);
    let said = model.next_state(&model.init_states()[0], Action::Send(Who::Agent(0), ask(1))).unwrap();
    assert_eq!(quiet::why_not(&model, &said), None);
}

#[test]
fn ways_at_random_keep_the_law() {
    let model = world(&[Style::Both, Style::Both], 3, 1);
    let walked = walk(&model, 1, 5, Duration::from_secs(2));
    assert_eq!(walked.wrong, None);
    assert!(walked.ways > 0 && walked.steps > 0 && walked.states > 0, "{walked:?}");
}
