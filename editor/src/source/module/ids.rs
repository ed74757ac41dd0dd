//! Typed indices into the tables of a module.

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id(u32);

        impl $id {
            /// The one at this place of its table.
            #[must_use]
            pub fn nth(index: usize) -> Self {
                // Files are limited to sizes where every table stays far below this.
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            /// The place in its table.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The one that is put into the table next.
            #[must_use]
            pub fn next<T>(table: &[T]) -> Self {
                Self::nth(table.len())
            }
        }
    )*};
}

ids! {
    /// Names an expression of a module.
    NodeId;
    /// Names a binding of a module.
    SymbolId;
    /// Names a function of a module.
    FunctionId;
    /// Names an element of a module.
    ElementId;
}
