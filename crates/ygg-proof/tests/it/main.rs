//! The simulation itself: a seed is a run, what watches it sees what goes wrong, and what fails is made smaller. And the page
//! about planted faults.

mod planted;
mod seeds;
mod shrinks;
mod watches;
