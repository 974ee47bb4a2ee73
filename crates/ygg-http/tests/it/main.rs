//! The surface from outside: over real sockets and a real database file, and through the router for the many.

mod claims;
mod connections;
mod demoted;
mod document;
mod events;
mod garbage;
mod gated;
mod guard;
mod held;
mod isolation;
mod load;
mod logs;
mod matrix;
mod matrix_reading;
mod metrics;
mod mutation;
mod operator;
mod pages;
mod pasted;
mod people;
mod random;
mod routes;
mod shutdown;
mod wire;
mod witnesses;
mod world;
