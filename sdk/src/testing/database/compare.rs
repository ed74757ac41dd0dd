//! Compares rows of both engines.

use std::fmt::Write;

use galley_postgres::Value;

/// The most rows that are shown of each.
const MAX_SHOWN: usize = 10;

/// What differs between SQLite's rows, which are packed, and PostgreSQL's. In a statement without `ORDER BY` the order does not
/// count: no engine promises one.
pub(super) fn difference(sql: &str, sqlite: &[u8], columns: usize, postgres: &[Vec<Value>]) -> Option<String> {
    let expected = unpacked(sqlite);
    let is_same = match sql.to_ascii_lowercase().contains("order by") {
        true => expected == postgres,
        false => sorted(&expected) == sorted(postgres),
    };
    let has_columns = sqlite.first_chunk().map(|count| u32::from_le_bytes(*count) as usize) == Some(columns);
    if is_same && has_columns {
        return None;
    }
    Some(format!("SQLite:{}\nPostgreSQL:{}", shown(&expected), shown(postgres)))
}

fn sorted(rows: &[Vec<Value>]) -> Vec<String> {
    let mut rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    rows.sort();
    rows
}

fn shown(rows: &[Vec<Value>]) -> String {
    let mut text = format!(" {} rows", rows.len());
    for row in rows.iter().take(MAX_SHOWN) {
        // Writing into a String cannot fail.
        let _ = write!(text, "\n  {row:?}");
    }
    text
}

/// Unpacks rows, as `galley:sql` describes them.
fn unpacked(packed: &[u8]) -> Vec<Vec<Value>> {
    let Some((columns, mut rest)) = packed.split_first_chunk() else {
        return Vec::new();
    };
    let columns = u32::from_le_bytes(*columns) as usize;
    let mut cells = Vec::new();
    while let Some((cell, after)) = first(rest) {
        cells.push(cell);
        rest = after;
    }
    cells.chunks(columns.max(1)).map(<[Value]>::to_vec).collect()
}

fn first(packed: &[u8]) -> Option<(Value, &[u8])> {
    let (tag, rest) = packed.split_first()?;
    if *tag == 0 {
        return Some((Value::Null, rest));
    }
    if let 1 | 2 = tag {
        let (number, rest) = rest.split_first_chunk()?;
        let cell = match tag {
            1 => Value::Integer(i64::from_le_bytes(*number)),
            _ => Value::Real(f64::from_le_bytes(*number)),
        };
        return Some((cell, rest));
    }
    let (length, rest) = rest.split_first_chunk()?;
    let (bytes, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let cell = match tag {
        3 => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
        _ => Value::Blob(bytes.to_owned()),
    };
    Some((cell, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(rows: &[i64]) -> Vec<u8> {
        let cells = rows.iter().flat_map(|number| {
            let mut cell = vec![1];
            cell.extend(number.to_le_bytes());
            cell
        });
        [1, 0, 0, 0].into_iter().chain(cells).collect()
    }

    fn rows(rows: &[i64]) -> Vec<Vec<Value>> {
        rows.iter().map(|number| vec![Value::Integer(*number)]).collect()
    }

    #[test]
    fn order_counts_where_it_is_asked_for() {
        let differ = |sql, one: &[i64], other: &[i64]| difference(sql, &packed(one), 1, &rows(other)).is_some();
        assert!(!differ("SELECT n FROM t", &[1, 2], &[2, 1]));
        assert!(differ("SELECT n FROM t Order by n", &[1, 2], &[2, 1]));
        assert!(differ("SELECT n FROM t", &[1, 2, 2], &[1, 2]));
        assert!(differ("SELECT n FROM t", &[1, 2, 2], &[1, 1, 2]));
        assert!(difference("SELECT 1, 2", &packed(&[]), 2, &[]).is_some(), "columns");
    }

    #[test]
    fn every_kind_of_cell_is_compared() {
        let mut packed = vec![5, 0, 0, 0, 0, 1];
        packed.extend((-2_i64).to_le_bytes());
        packed.push(2);
        packed.extend(0.5_f64.to_le_bytes());
        packed.extend([3, 2, 0, 0, 0, 0xc3, 0xa9, 4, 1, 0, 0, 0, 7]);
        let row = vec![
            Value::Null,
            Value::Integer(-2),
            Value::Real(0.5),
            Value::Text("é".to_owned()),
            Value::Blob(vec![7]),
        ];
        assert_eq!(difference("", &packed, 5, std::slice::from_ref(&row)), None);
        let mut other = row.clone();
        other[3] = Value::Text("e".to_owned());
        let said = difference("", &packed, 5, &[other]).unwrap();
        assert!(said.contains("Text(\"é\")") && said.contains("Text(\"e\")"), "{said}");
    }
}
