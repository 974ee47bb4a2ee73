//! The proof itself: that model and simulation look at what they say, and that they can say no. And the page about planted
//! faults.

mod model;
mod planted;
mod seeds;
mod shrinks;
mod watches;
