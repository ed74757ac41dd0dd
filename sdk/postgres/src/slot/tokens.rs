//! A plugin's statement as a row of words and signs, read as PostgreSQL reads it. What PostgreSQL could read in another way than
//! this is refused.

use super::failure::Failure;
use crate::lexical::{end_of_comment, end_of_line, end_of_text, is_word};

/// One word or sign of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A name or a keyword, in lower case, as PostgreSQL has it; also what begins with a digit.
    Word(String),
    /// A name in quotation marks, as it is.
    Quoted(String),
    /// A text.
    Text,
    /// `?N`.
    Parameter,
    /// Anything else, byte by byte.
    Sign(u8),
}

impl Token {
    /// Whether it is this keyword.
    pub fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word == keyword)
    }

    /// As a name, which a keyword can be, too.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Word(name) | Self::Quoted(name) => Some(name),
            _ => None,
        }
    }
}

/// The statements of a text, each with where it stands; empty ones are left out.
pub fn statements(sql: &str) -> Result<Vec<(&str, Vec<Token>)>, Failure> {
    if sql.contains('\0') {
        return Err(Failure::nul());
    }
    let bytes = sql.as_bytes();
    let (mut all, mut tokens, mut begin, mut at) = (Vec::new(), Vec::new(), 0, 0);
    while at < bytes.len() {
        let end = match bytes[at] {
            // The vertical tab is a space to some versions.
            byte if byte.is_ascii_whitespace() || byte == 0x0b => at + 1,
            b'-' if bytes.get(at + 1) == Some(&b'-') => end_of_line(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => end_of_comment(bytes, at),
            b'\'' => {
                tokens.push(Token::Text);
                end_of_text(bytes, at, false)
            }
            b'"' => {
                let end = end_of_text(bytes, at, false);
                let inside = sql.get(at + 1..end - 1).unwrap_or_default();
                tokens.push(Token::Quoted(inside.replace("\"\"", "\"")));
                end
            }
            b'$' => {
                return Err(unreadable(
                    "a `$`: parameters are written `?1`, and texts in single quotation marks",
                ));
            }
            b'?' => {
                tokens.push(Token::Parameter);
                let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                at + 1 + digits
            }
            b';' => {
                if !tokens.is_empty() {
                    all.push((&sql[begin..at], std::mem::take(&mut tokens)));
                }
                begin = at + 1;
                at + 1
            }
            byte if is_word(byte) => {
                let length = bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
                let word = sql[at..at + length].to_ascii_lowercase();
                let next = &bytes[at + length..];
                if word == "e" && next.first() == Some(&b'\'') {
                    return Err(unreadable("a text of the kind E'…': write it without the E"));
                }
                if word == "u" && matches!(next, [b'&', b'\'' | b'"', ..]) {
                    return Err(unreadable("a text or a name of the kind U&'…': write it without U&"));
                }
                tokens.push(Token::Word(word));
                at + length
            }
            sign => {
                tokens.push(Token::Sign(sign));
                at + 1
            }
        };
        at = end;
    }
    if !tokens.is_empty() {
        all.push((&sql[begin..], tokens));
    }
    Ok(all)
}

fn unreadable(what: &str) -> Failure {
    Failure::Statement(format!("The statement holds {what}."))
}
