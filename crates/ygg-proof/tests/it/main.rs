//! The proof itself: that model and simulation look at what they say, and that they can say no.

mod model;
mod seeds;
mod shrinks;
mod watches;
