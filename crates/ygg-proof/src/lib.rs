//! The proof that loops cannot form [L4]: small worlds in which every path is looked at, and large ones, simulated, by the
//! rules, loaders and stores that the server runs. Nothing of them is written down a second time here.
//!
//! Never shipped: what checks may be slow and strict, and pulls in what the product must not.

pub mod dice;
pub mod model;
#[cfg(feature = "faults")]
pub mod mutants;
pub mod sim;
pub mod wrong;
