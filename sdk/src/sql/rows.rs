//! Rows, decoded from the packed buffer the host answers with: a little-endian `u32` with the number of columns, then the
//! cells row by row, each a tag byte and its value.

use super::cell::{Cells, FromCell, fault};
use crate::error::Problem;

/// The rows of a query, still packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    packed: Vec<u8>,
}

/// One row. Its cells are taken from left to right.
#[derive(Debug)]
pub struct Row<'c, 'r> {
    cells: &'c mut Cells<'r>,
    left: u32,
}

/// Types that a row can be decoded to: tuples of cells. For other types, use [`Rows::map`].
pub trait FromRow<'r>: Sized {
    /// Takes the cells it needs.
    fn from_row(row: &mut Row<'_, 'r>) -> Result<Self, Problem>;
}

impl Rows {
    pub(crate) fn new(packed: Vec<u8>) -> Rows {
        Rows { packed }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.packed.len() <= 4
    }

    /// The size of the packed buffer in bytes, as a hint for the size of what is built from the rows.
    pub fn size(&self) -> usize {
        self.packed.len()
    }

    /// Converts each row by a function that takes its cells: `rows.map(|row| Ok(Note { id: row.take()?, text: row.take()? }))`.
    pub fn map<'r, T>(
        &'r self,
        mut make: impl FnMut(&mut Row<'_, 'r>) -> Result<T, Problem> + 'r,
    ) -> impl Iterator<Item = Result<T, Problem>> + 'r
    where
        T: 'r,
    {
        let (columns, mut cells) = match self.packed.split_first_chunk() {
            Some((columns, rest)) => (u32::from_le_bytes(*columns), Cells { rest }),
            None => (0, Cells { rest: &[] }),
        };
        std::iter::from_fn(move || {
            if cells.rest.is_empty() || columns == 0 {
                return None;
            }
            let mut row = Row {
                cells: &mut cells,
                left: columns,
            };
            let made = make(&mut row).and_then(|made| row.skip().map(|()| made));
            if made.is_err() {
                cells.rest = &[];
            }
            Some(made)
        })
    }

    /// The rows one by one: `rows.iter::<(&str, i64)>()`.
    pub fn iter<'r, T: FromRow<'r> + 'r>(&'r self) -> impl Iterator<Item = Result<T, Problem>> + 'r {
        self.map(T::from_row)
    }

    /// All rows.
    pub fn all<'r, T: FromRow<'r> + 'r>(&'r self) -> Result<Vec<T>, Problem> {
        self.iter().collect()
    }

    /// The first row, `None` when there is none.
    pub fn one<'r, T: FromRow<'r> + 'r>(&'r self) -> Result<Option<T>, Problem> {
        self.iter().next().transpose()
    }
}

impl<'r> Row<'_, 'r> {
    /// The next cell.
    #[inline]
    pub fn take<T: FromCell<'r>>(&mut self) -> Result<T, Problem> {
        self.left = self
            .left
            .checked_sub(1)
            .ok_or_else(|| fault("the row has fewer columns than were asked for"))?;
        T::from_cell(self.cells.next().ok_or_else(|| fault("the rows are cut short"))?)
    }

    /// Skips the cells that were not taken.
    fn skip(&mut self) -> Result<(), Problem> {
        for _ in 0..std::mem::take(&mut self.left) {
            self.cells.next().ok_or_else(|| fault("the rows are cut short"))?;
        }
        Ok(())
    }
}

macro_rules! tuples {
    ($($($name:ident)+;)+) => {
        $(impl<'r, $($name: FromCell<'r>),+> FromRow<'r> for ($($name,)+) {
            #[inline]
            fn from_row(row: &mut Row<'_, 'r>) -> Result<Self, Problem> {
                Ok(($(row.take::<$name>()?,)+))
            }
        })+
    };
}

tuples! {
    A; A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H; A B C D E F G H I;
    A B C D E F G H I J; A B C D E F G H I J K; A B C D E F G H I J K L;
}
