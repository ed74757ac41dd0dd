//! Cells, and the types they are decoded to.

use crate::error::Problem;

/// Types that a cell can be decoded to.
pub trait FromCell<'r>: Sized {
    /// `Err` when the cell is of another type.
    fn from_cell(cell: Cell<'r>) -> Result<Self, Problem>;
}

/// One cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'r> {
    /// NULL.
    Null,
    /// An integer.
    Integer(i64),
    /// A number.
    Real(f64),
    /// Text, which SQLite does not promise to be UTF-8.
    Text(&'r [u8]),
    /// Bytes.
    Blob(&'r [u8]),
}

#[cold]
pub(super) fn fault(message: &str) -> Problem {
    Problem {
        code: "rows".into(),
        message: message.into(),
    }
}

/// The remaining cells.
#[derive(Debug)]
pub(super) struct Cells<'r> {
    pub(super) rest: &'r [u8],
}

impl<'r> Cells<'r> {
    #[inline]
    pub(super) fn next(&mut self) -> Option<Cell<'r>> {
        let (tag, rest) = self.rest.split_first()?;
        let (cell, rest) = match tag {
            0 => (Cell::Null, rest),
            1 => rest
                .split_first_chunk()
                .map(|(n, rest)| (Cell::Integer(i64::from_le_bytes(*n)), rest))?,
            2 => rest
                .split_first_chunk()
                .map(|(n, rest)| (Cell::Real(f64::from_le_bytes(*n)), rest))?,
            3 | 4 => {
                let (length, rest) = rest.split_first_chunk()?;
                let (bytes, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
                (
                    if *tag == 3 {
                        Cell::Text(bytes)
                    } else {
                        Cell::Blob(bytes)
                    },
                    rest,
                )
            }
            _ => return None,
        };
        self.rest = rest;
        Some(cell)
    }
}

impl Cell<'_> {
    #[cold]
    fn mismatch(&self, wanted: &str) -> Problem {
        let found = match self {
            Cell::Null => "NULL",
            Cell::Integer(_) => "an integer",
            Cell::Real(_) => "a real",
            Cell::Text(_) => "text",
            Cell::Blob(_) => "a blob",
        };
        fault(&format!("a cell holds {found}, not {wanted}"))
    }
}

impl<'r> FromCell<'r> for &'r str {
    #[inline]
    fn from_cell(cell: Cell<'r>) -> Result<&'r str, Problem> {
        match cell {
            Cell::Text(bytes) => std::str::from_utf8(bytes).map_err(|_| fault("a text is not UTF-8")),
            other => Err(other.mismatch("text")),
        }
    }
}

impl<'r> FromCell<'r> for String {
    fn from_cell(cell: Cell<'r>) -> Result<String, Problem> {
        <&str>::from_cell(cell).map(str::to_owned)
    }
}

impl<'r> FromCell<'r> for &'r [u8] {
    fn from_cell(cell: Cell<'r>) -> Result<&'r [u8], Problem> {
        match cell {
            Cell::Blob(bytes) => Ok(bytes),
            other => Err(other.mismatch("a blob")),
        }
    }
}

impl<'r> FromCell<'r> for i64 {
    #[inline]
    fn from_cell(cell: Cell<'r>) -> Result<i64, Problem> {
        match cell {
            Cell::Integer(number) => Ok(number),
            other => Err(other.mismatch("an integer")),
        }
    }
}

impl<'r> FromCell<'r> for u32 {
    fn from_cell(cell: Cell<'r>) -> Result<u32, Problem> {
        u32::try_from(i64::from_cell(cell)?).map_err(|_| fault("an integer does not fit into 32 bits"))
    }
}

impl<'r> FromCell<'r> for u64 {
    fn from_cell(cell: Cell<'r>) -> Result<u64, Problem> {
        u64::try_from(i64::from_cell(cell)?).map_err(|_| fault("an integer is negative"))
    }
}

impl<'r> FromCell<'r> for bool {
    #[inline]
    fn from_cell(cell: Cell<'r>) -> Result<bool, Problem> {
        Ok(i64::from_cell(cell)? != 0)
    }
}

impl<'r> FromCell<'r> for f64 {
    fn from_cell(cell: Cell<'r>) -> Result<f64, Problem> {
        match cell {
            Cell::Real(number) => Ok(number),
            other => Err(other.mismatch("a real")),
        }
    }
}

impl<'r, T: FromCell<'r>> FromCell<'r> for Option<T> {
    #[inline]
    fn from_cell(cell: Cell<'r>) -> Result<Option<T>, Problem> {
        if cell == Cell::Null {
            Ok(None)
        } else {
            T::from_cell(cell).map(Some)
        }
    }
}
