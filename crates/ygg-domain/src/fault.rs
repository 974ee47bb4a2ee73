//! Planted faults: rules that are left out on purpose, so that it is known whether anything would notice. Only the
//! proof builds with the feature `faults`; without it `planted` is a constant, and nothing of this is in the product.

/// Whether faults can be planted at all: the product does not compile where they can.
pub const CAN_BE_PLANTED: bool = cfg!(feature = "faults");

/// Whether this fault is planted.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub const fn planted(_: Fault) -> bool {
    false
}

#[cfg(feature = "faults")]
pub use switch::{plant, planted};

/// The one thing in this crate that is not a pure function: which fault is planted is told to the process, once, by
/// the tool that looks who notices. To pass it to every rule would put the test's business into every signature.
#[cfg(feature = "faults")]
mod switch {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Fault;

    /// Its place in `Fault::ALL`; beyond it: none.
    static PLANTED: AtomicUsize = AtomicUsize::new(usize::MAX);

    pub fn plant(fault: Option<Fault>) {
        PLANTED.store(fault.map_or(usize::MAX, |fault| fault as usize), Ordering::Relaxed);
    }

    #[inline]
    pub fn planted(fault: Fault) -> bool {
        PLANTED.load(Ordering::Relaxed) == fault as usize
    }
}

macro_rules! faults {
    ($($name:ident = $rule:literal, $what:literal;)*) => {
        /// A rule left out, or wrong by one.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Fault {
            $(#[doc = $what] $name,)*
        }

        impl Fault {
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }

            /// The rule that is broken.
            pub fn rule(self) -> &'static str {
                match self {
                    $(Self::$name => $rule,)*
                }
            }

            /// What happens instead of what the rule says.
            pub fn what(self) -> &'static str {
                match self {
                    $(Self::$name => $what,)*
                }
            }
        }
    };
}

faults! {
    RepeatGoesOut = "M8", "The same draft under the same key is sent again.";
    OrphanWakes = "M4", "A response that settles nothing wakes its recipient all the same.";
    DebtStays = "M4", "An answer leaves its debt open, so that it can be answered twice.";
    NudgedWithoutEnd = "S2", "There is no last nudge.";
    NudgesUnspaced = "S2", "The next nudge does not wait until its time has come.";
    TimerFiresTwice = "S2", "One look at the clock gives two nudges and counts one.";
    NudgesStay = "S2", "A nudge outlives the wait that it is about.";
    WaiterNotTold = "S2", "Nobody tells the waiter that the last nudge did not help.";
    PauseIgnored = "S3", "A request wakes although its topic stands still.";
    HeldBackLost = "S3", "A topic that goes on wakes nobody to whom something was held back.";
    PausedClocksRun = "S3", "The clocks of a topic that stands still run on.";
    ShieldLeftOut = "S4", "An agent can wake one that is done.";
    PersonShielded = "S4", "Not even a person wakes one that is done.";
    AskersNotTold = "S4", "Nobody is told that one who owed them an answer is done.";
    ClosesTooEarly = "S5", "A topic closes although some were only informed and had no time yet.";
    AskedAgain = "S6", "One who was asked whether it is done is asked again and again.";
    CountedAtOnce = "S6", "One who ought to be asked whether it is done is counted done at once.";
    UnhandedCounted = "S6", "One is counted done while a request to it waits to be handed out.";
    FreeWordAskedAnew = "S6", "A free word to the backend has one asked anew.";
    ClosedKeepsWakes = "S7", "Wakes outlive their topic.";
    ClosedKeepsDebts = "S7", "Debts outlive their topic.";
    TopiclessPaysAgain = "T1", "A message without a topic costs a credit for each attempt under one key.";
    TopicLimitOff = "T3", "An agent opens as many topics as it likes.";
    ClosedTakesMore = "T4", "A closed topic takes messages.";
    InformWakes = "K1", "An inform of an agent wakes.";
    WordAnswersNothing = "K2", "A taken wake is not answered by its agent's next word there.";
    SecondWake = "K3", "A request makes a second wake beside one that is unanswered.";
    FoldForgotten = "K3", "What was folded into a wake is forgotten when it is answered.";
    FoldForgottenAtEnd = "K3", "What was folded into a wake is forgotten when its turn ends.";
    NobodyReminded = "K4", "Nobody is reminded of what it left undone when a topic closes.";
    PollUnanswered = "K5", "A word to the backend does not answer the poll.";
    SilentEndUntold = "K5b", "A turn that ends without a word is told to nobody.";
    PausedIsHanded = "K5c", "A paused agent is handed its wakes.";
    FailedWakeLost = "K6", "A turn that fails takes its wake with it.";
    TriedWithoutEnd = "K6", "A wake whose turns fail is tried without end.";
    TriedAtOnce = "K6", "A wake whose turn failed is tried again at once.";
    TwoTurns = "U1", "An agent has two turns at a time.";
    HandedOnAgain = "V2", "What a live session let lapse goes to its runner again and again.";
    SameTextUnseen = "L1", "The same text again is no loop.";
    RoundsUncounted = "L2", "Two agents may go back and forth without end.";
    PersonResetsNothing = "L3", "A person's word does not start the count of what loops again.";
    LoopNotShown = "L3", "People are not shown that a loop is suspected.";
    HopUncounted = "H1", "An answer is no farther from its beginning than what it answers.";
    PriceForOne = "C1", "However many recipients there are, one is paid for.";
    PriceRoundedDown = "C1", "A started thousand of characters is not paid for.";
    BudgetUncounted = "C2", "A send does not count against the budget of its topic.";
    BelowZero = "C3", "A balance may go below zero by one.";
    ShortfallPassesBy = "C4", "A topic goes on although a send there lacked credits.";
    NobodyRefilled = "C4", "Credits that cover what was lacking wake nobody.";
    RefusalPays = "C5", "Every refusal costs the credit of a message without a topic.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_fault_is_planted_where_none_can_be() {
        let planted = Fault::ALL.iter().filter(|fault| planted(**fault)).count();
        assert_eq!(planted, 0);
    }
}
