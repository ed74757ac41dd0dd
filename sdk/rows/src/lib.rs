//! How the rows of a plugin's statement are packed, and how large they may be. It stands here once for all engines: what a plugin
//! gets is the same to the byte.
//!
//! The format stands in `wit/deps/galley-sql`: a little-endian u32 with the number of columns, then the cells row by row. A cell
//! is a tag and its value.
//!
//! ```
//! use galley_rows::{Cell, Rows};
//!
//! let mut rows = Rows::of(2);
//! rows.push(Cell::Integer(7))?;
//! rows.push(Cell::Text("é".as_bytes()))?;
//! assert_eq!(rows.into_bytes(), [2, 0, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0, 3, 2, 0, 0, 0, 0xc3, 0xa9]);
//! # Ok::<(), galley_rows::TooLarge>(())
//! ```

use std::fmt;

/// The most bytes of rows that a statement answers.
pub const MAX_ROWS: usize = 16 << 20;

/// The largest value, in bytes. What is larger goes into a blob beside the database.
pub const MAX_VALUE: usize = 1 << 20;

/// The longest text of a statement or a migration, in bytes.
pub const MAX_SQL_LENGTH: usize = 256 << 10;

/// A column of a row, as the engine holds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// NULL.
    Null,
    /// An integer.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A text, in UTF-8.
    Text(&'a [u8]),
    /// Bytes.
    Blob(&'a [u8]),
}

/// The rows exceed [`MAX_ROWS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The rows have more than {MAX_ROWS} bytes.")
    }
}

impl std::error::Error for TooLarge {}

/// Rows that are being packed.
#[derive(Debug)]
pub struct Rows {
    packed: Vec<u8>,
}

impl Rows {
    /// No rows yet, of so many columns.
    #[inline]
    pub fn of(columns: usize) -> Self {
        let mut packed = Vec::with_capacity(if columns == 0 { 4 } else { 1024 });
        packed.extend_from_slice(&(columns as u32).to_le_bytes());
        Self { packed }
    }

    /// The next cell: the next column of the row, or the first one of the next row.
    #[inline]
    pub fn push(&mut self, cell: Cell<'_>) -> Result<(), TooLarge> {
        match cell {
            Cell::Null => self.packed.push(0),
            Cell::Integer(value) => {
                self.packed.push(1);
                self.packed.extend_from_slice(&value.to_le_bytes());
            }
            Cell::Real(value) => {
                self.packed.push(2);
                self.packed.extend_from_slice(&value.to_le_bytes());
            }
            Cell::Text(value) => self.push_bytes(3, value),
            Cell::Blob(value) => self.push_bytes(4, value),
        }
        match self.packed.len() > MAX_ROWS {
            true => Err(TooLarge),
            false => Ok(()),
        }
    }

    #[inline]
    fn push_bytes(&mut self, tag: u8, bytes: &[u8]) {
        self.packed.push(tag);
        // No engine holds a value of 2^32 bytes.
        self.packed.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        self.packed.extend_from_slice(bytes);
    }

    /// The packed rows.
    #[inline]
    pub fn into_bytes(self) -> Vec<u8> {
        self.packed
    }
}
