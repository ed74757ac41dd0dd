//! The parameters of one statement: `?1` is the first.

use super::value::{ToValue, Value};

/// What can be bound to a statement: nothing, a tuple, an array or a slice of values.
pub trait Parameters {
    /// Runs something with the values. Those of tuples and arrays lie on the stack.
    fn with<T>(&self, run: impl FnOnce(&[Value<'_>]) -> T) -> T;
}

impl Parameters for () {
    fn with<T>(&self, run: impl FnOnce(&[Value<'_>]) -> T) -> T {
        run(&[])
    }
}

impl<V: ToValue, const N: usize> Parameters for [V; N] {
    fn with<T>(&self, run: impl FnOnce(&[Value<'_>]) -> T) -> T {
        run(&self.each_ref().map(V::to_value))
    }
}

/// A tuple is written as its types, each with its place.
macro_rules! tuples {
    ($(($($kind:ident $at:tt),+))*) => {$(
        impl<$($kind: ToValue),+> Parameters for ($($kind,)+) {
            fn with<T>(&self, run: impl FnOnce(&[Value<'_>]) -> T) -> T {
                run(&[$(self.$at.to_value()),+])
            }
        }
    )*};
}

tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
}
