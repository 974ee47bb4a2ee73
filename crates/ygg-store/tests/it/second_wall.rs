//! PostgreSQL's own wall between workspaces: a question about the wrong one finds nothing, even if our code asked it
//! [O2].

use ygg_domain::policy::Policy;
use ygg_store::{Result, Rows, Store, Within};

use crate::cast::{TEAM, at, group_set, slug};
use crate::jobs::write;
use crate::postgres;

fn look<T>(store: &dyn Store, within: Within, question: impl Fn(&dyn Rows) -> Result<T>) -> T {
    let mut answer = None;
    let looked = store.read(within, &mut |rows| {
        answer = Some(question(rows)?);
        Ok(())
    });
    looked.expect("PostgreSQL answers");
    answer.expect("the question was asked")
}

#[test]
fn a_look_sees_the_rows_of_its_workspace_alone() {
    let Some(place) = postgres::place() else { return };
    let store = &place.store;
    let founded = write(store, |tx| {
        let team = tx.create_workspace(&slug("team"), &Policy::default(), at(0))?;
        let other = tx.create_workspace(&slug("other"), &Policy::default(), at(0))?;
        tx.apply(team, at(1), &group_set("one", &[]))?;
        tx.apply(other, at(1), &group_set("two", &[]))?;
        Ok((team, other))
    });
    let (team, other) = founded.expect("two workspaces");
    assert_eq!(team, TEAM);
    let counts =
        |within| look(store, within, |rows| Ok((rows.groups(team)?.len(), rows.groups(other)?.len())));
    assert_eq!(counts(Within::Server), (1, 1));
    assert_eq!(counts(Within::Workspace(team)), (1, 0));
    assert_eq!(counts(Within::Workspace(other)), (0, 1));
    assert_eq!(look(store, Within::Workspace(team), |rows| rows.last_seq(other)), 0);
    assert_eq!(look(store, Within::Workspace(team), |rows| Ok(rows.workspaces()?.len())), 1);
}
