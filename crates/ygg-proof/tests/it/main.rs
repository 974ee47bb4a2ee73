//! The simulation itself: a seed is a run, what watches it sees what goes wrong, and what fails is made smaller.

mod seeds;
mod shrinks;
mod watches;
