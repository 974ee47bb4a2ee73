//! A table that copies of the world share until one of them writes to it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

#[derive(Clone, Default)]
pub struct Shared<T>(Arc<T>);

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}
