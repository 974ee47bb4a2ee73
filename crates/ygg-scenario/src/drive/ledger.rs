//! Every movement of credits is an entry, and the entries of a pot add up to what it holds [C5].

use std::collections::BTreeMap;

use ygg_wire::credits::{CreditsView, EntryView};

/// What is wrong with the books, if something is. Entries come newest first.
pub fn problem(held: &CreditsView, entries: &[EntryView]) -> Option<String> {
    let mut running: BTreeMap<&str, i64> = BTreeMap::new();
    for entry in entries.iter().rev() {
        let balance = running.entry(&entry.pot).or_default();
        *balance += entry.amount;
        if *balance != entry.balance || *balance < 0 {
            return Some(format!(
                "after entry {} {} should hold {balance}, and the entry says {}",
                entry.seq, entry.pot, entry.balance
            ));
        }
    }
    let wallets = held.wallets.iter().map(|(agent, balance)| (format!("wallet:{agent}"), *balance));
    let budgets = held.budgets.iter().map(|(topic, balance)| (format!("budget:{topic}"), *balance));
    for (pot, balance) in wallets.chain(budgets).chain([("pool".to_owned(), held.pool)]) {
        let sum = running.remove(pot.as_str()).unwrap_or(0);
        if sum != balance {
            return Some(format!("{pot} holds {balance}, and its entries add up to {sum}"));
        }
    }
    let left = running.into_iter().find(|(_, sum)| *sum != 0);
    left.map(|(pot, sum)| format!("{pot} has entries of {sum} and holds nothing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(seq: i64, pot: &str, amount: i64, balance: i64) -> EntryView {
        let (at, reason, by) = (String::new(), "grant".to_owned(), "a".to_owned());
        EntryView { seq, at, pot: pot.to_owned(), amount, balance, reason, by, message_id: None }
    }

    #[test]
    fn books_that_do_not_add_up_are_found() {
        let held = |pool, wallet| CreditsView {
            pool,
            wallets: BTreeMap::from([("a".to_owned(), wallet)]),
            budgets: BTreeMap::new(),
        };
        let entries = [entry(3, "pool", -1, 9), entry(2, "wallet:a", 0, 0), entry(1, "pool", 10, 10)];
        assert_eq!(problem(&held(9, 0), &entries), None);
        assert!(problem(&held(10, 0), &entries).is_some_and(|told| told.starts_with("pool holds 10")));
        assert!(problem(&held(9, 1), &entries).is_some_and(|told| told.starts_with("wallet:a holds 1")));
        assert!(problem(&held(9, 0), &entries[..1]).is_some_and(|told| told.starts_with("after entry 3")));
        let lost = [entry(2, "wallet:b", 5, 5), entry(1, "pool", 9, 9)];
        assert!(problem(&held(9, 0), &lost).is_some_and(|told| told.starts_with("wallet:b has entries")));
    }
}
