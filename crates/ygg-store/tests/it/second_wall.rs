//! PostgreSQL's own wall between workspaces: a question about the wrong one finds nothing, even if our code asked it
//! [O2].

use ygg_domain::account::Account;
use ygg_domain::policy::Policy;
use ygg_store::{Result, Rows, Store, Within};

use crate::cast::{TEAM, account_id, at, group_set, handle, slug};
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
    let ana = Account { id: account_id(1), handle: handle("ana"), password: None, made_at: at(0) };
    let founded = write(store, move |tx| {
        let team = tx.create_workspace(&slug("team"), &Policy::default(), at(0))?;
        let other = tx.create_workspace(&slug("other"), &Policy::default(), at(0))?;
        tx.apply(team, at(1), &[group_set("one", &[])])?;
        tx.apply(other, at(1), &[group_set("two", &[])])?;
        tx.put_account(&ana)?;
        Ok((team, other))
    });
    let (team, other) = founded.expect("two workspaces");
    assert_eq!(team, TEAM);
    let counts =
        |within| look(store, within, |rows| Ok((rows.groups(team)?.len(), rows.groups(other)?.len())));
    assert_eq!(counts(Within::Server), (1, 1));
    assert_eq!(counts(Within::Workspace(team)), (1, 0));
    assert_eq!(counts(Within::Workspace(other)), (0, 1));
    // Accounts are the server's alone.
    let account = |within| look(store, within, |rows| rows.account_by_handle(&handle("ana")));
    assert!(account(Within::Server).is_some());
    assert_eq!(account(Within::Workspace(team)), None);
    assert_eq!(look(store, Within::Workspace(team), |rows| rows.last_seq(other)), 0);
    assert_eq!(look(store, Within::Workspace(team), |rows| Ok(rows.workspaces()?.len())), 1);
}
