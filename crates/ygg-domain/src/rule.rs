//! The rules that a decision can name, each by its id, with the name and the page that it has in docs/rules.

/// A rule of docs/rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    pub id: &'static str,
    pub name: &'static str,
    /// Of docs/rules, without its ending.
    pub page: &'static str,
}

macro_rules! rules {
    ($($page:literal: $($id:literal $name:literal)*;)*) => {
        const RULES: &[Rule] = &[$($(Rule { id: $id, name: $name, page: $page },)*)*];
    };
}

rules! {
    "protocol":
        "W1" "Workspaces are sealed"
        "W2" "Ids"
        "W3" "Roles of people"
        "W4" "Conversations"
        "W5" "Topics"
        "W6" "Reading and redacting"
        "W7" "Removing an agent"
        "M1" "The draft"
        "M2" "Kept as sent"
        "M3" "Types"
        "M4" "One answer each"
        "M5" "Malformed is never a wake"
        "M6" "Where it goes"
        "M7" "Resolving recipients"
        "M8" "Sending twice"
        "S1" "One state per party and topic"
        "S2" "Waiting and nudges"
        "S3" "A person is needed"
        "S4" "Done"
        "S5" "Everybody done"
        "S6" "Some done, others not"
        "S7" "Closing"
        "T1" "Every message names its topic"
        "T2" "Titles"
        "T3" "Topics held"
        "T4" "Closed stays closed"
        "K1" "What wakes"
        "K2" "Life of a wake"
        "K3" "Folding"
        "K4" "Resume"
        "K5" "Talking to the backend"
        "K5a" "Honest delivery"
        "K5b" "No silent end"
        "K5c" "Stop everything"
        "K6" "Never lost, never shared"
        "L1" "Same text again"
        "L2" "Same back-and-forth"
        "L3" "Starting over"
        "L4" "What must be proven"
        "C1" "Price"
        "C2" "Who pays"
        "C3" "Only people fund"
        "C4" "Running out"
        "C5" "The ledger";
    "plane":
        "H1" "Counting hops"
        "H2" "The limit"
        "H3" "No fresh start"
        "H4" "Breadth";
}

impl Rule {
    pub fn find(id: &str) -> Option<Self> {
        RULES.iter().find(|rule| rule.id == id).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ids and names of a page, in its order.
    fn of_page(text: &str) -> Vec<(&str, &str)> {
        let rules = text.lines().filter_map(|line| line.strip_prefix("- **"));
        rules
            .filter_map(|line| {
                let (id, rest) = line.split_once("** *")?;
                Some((id, rest.split_once(".*")?.0))
            })
            .collect()
    }

    #[test]
    fn rules_are_called_as_their_pages_call_them() {
        let known = |page: &str| {
            let rules = RULES.iter().filter(move |rule| rule.page == page);
            rules.map(|rule| (rule.id, rule.name)).collect::<Vec<_>>()
        };
        assert_eq!(known("protocol"), of_page(include_str!("../../../docs/rules/protocol.md")));
        let mut plane = of_page(include_str!("../../../docs/rules/plane.md"));
        plane.retain(|(id, _)| id.starts_with('H'));
        assert_eq!(known("plane"), plane);
    }
}
