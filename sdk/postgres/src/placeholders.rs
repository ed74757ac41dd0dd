//! `?N`, as statements of Galley write their parameters, becomes `$N`. Nothing else is translated.

use thiserror::Error;

use crate::lexical::{end_of_comment, end_of_dollars, end_of_line, end_of_text, follows_word, has_escapes};

/// The largest number of a parameter.
const MAX_PARAMETER: u32 = 65_535;

/// A placeholder that PostgreSQL has none for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the `?` at byte {at} has no number from 1 to {MAX_PARAMETER}: write `?1`, `?2` …")]
pub struct BadPlaceholder {
    /// Where the `?` stands.
    pub at: usize,
}

/// The statement with `$N` for each `?N` that stands outside of texts, quoted names and comments, which are read as PostgreSQL
/// reads them. The operators of PostgreSQL that begin with `?` have functions of the same meaning.
///
/// ```
/// let sql = galley_postgres::with_dollars("SELECT body FROM comments WHERE id = ?1 AND body <> 'why?1'")?;
/// assert_eq!(sql, "SELECT body FROM comments WHERE id = $1 AND body <> 'why?1'");
/// # Ok::<(), galley_postgres::BadPlaceholder>(())
/// ```
pub fn with_dollars(sql: &str) -> Result<String, BadPlaceholder> {
    let bytes = sql.as_bytes();
    let mut out = String::with_capacity(sql.len());
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        at = match bytes[at] {
            b'\'' => end_of_text(bytes, at, has_escapes(bytes, at)),
            b'"' => end_of_text(bytes, at, false),
            b'-' if bytes.get(at + 1) == Some(&b'-') => end_of_line(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => end_of_comment(bytes, at),
            b'$' if !follows_word(bytes, at) => end_of_dollars(bytes, at),
            b'?' => {
                let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let number = &sql[at + 1..at + 1 + digits];
                let is_number = !number.starts_with('0') && number.parse().is_ok_and(|n: u32| n <= MAX_PARAMETER);
                if !is_number {
                    return Err(BadPlaceholder { at });
                }
                out.push_str(&sql[copied..at]);
                out.push('$');
                copied = at + 1;
                at + 1 + digits
            }
            _ => at + 1,
        };
    }
    out.push_str(&sql[copied..]);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_outside_of_texts_are_changed() {
        for (sql, expected) in [
            ("SELECT ?1, ?2", "SELECT $1, $2"),
            ("?12", "$12"),
            ("(?1)::int8+?1", "($1)::int8+$1"),
            ("'?1' || ?1", "'?1' || $1"),
            ("'it''s ?1' , ?1", "'it''s ?1' , $1"),
            (r"E'\'?1' , ?1", r"E'\'?1' , $1"),
            (r"name'\' , ?1", r"name'\' , $1"),
            (r"'\' , ?1", r"'\' , $1"),
            ("\"a?1\"\"?1\" = ?1", "\"a?1\"\"?1\" = $1"),
            ("-- why?\n?1", "-- why?\n$1"),
            ("/* a? /* b? */ c? */ ?1", "/* a? /* b? */ c? */ $1"),
            ("$$ ?1 $$, ?1", "$$ ?1 $$, $1"),
            ("$a$ $$ ?1 $b$ $a$, ?1", "$a$ $$ ?1 $b$ $a$, $1"),
            ("a$b$ = ?1, c$b$", "a$b$ = $1, c$b$"),
            ("1 - ?1 / ?2", "1 - $1 / $2"),
            ("é?1", "é$1"),
            ("$1 + ?2", "$1 + $2"),
            ("'open ?1", "'open ?1"),
            ("/* open ?1", "/* open ?1"),
            ("$x$ open ?1", "$x$ open ?1"),
        ] {
            assert_eq!(with_dollars(sql).as_deref(), Ok(expected), "{sql}");
        }
    }

    #[test]
    fn a_question_mark_needs_a_number() {
        for (sql, at) in [
            ("?", 0),
            ("a = ?", 4),
            ("?0", 0),
            ("?01", 0),
            ("?65536", 0),
            ("j ?| x", 2),
            ("?x", 0),
        ] {
            assert_eq!(with_dollars(sql), Err(BadPlaceholder { at }), "{sql}");
        }
    }
}
