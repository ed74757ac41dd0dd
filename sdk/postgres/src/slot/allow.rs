//! What SQL of a plugin may do on PostgreSQL: a list of what is allowed. Everything else is refused, what a later PostgreSQL brings
//! included.

use std::collections::HashSet;

use super::failure::Failure;
use super::tokens::Token;
use super::words::{is_hidden, may_be_called, may_precede_parenthesis, tells_who};

/// What a statement does, as far as its first words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It answers rows. What changes something all the same is refused where only reads are run.
    Reads,
    /// It adds rows or changes them.
    Writes,
    /// It removes rows.
    Deletes,
    /// It makes or changes tables, indexes or views.
    ChangesSchema,
    /// It removes them.
    Drops,
}

/// What is made, changed and dropped.
const OBJECTS: [&str; 3] = ["table", "index", "view"];

/// Checks one statement of a plugin.
pub fn check(tokens: &[Token]) -> Result<Kind, Failure> {
    let kind = kind(tokens)?;
    let queries = queries(tokens);
    for (at, token) in tokens.iter().enumerate() {
        let is_refused = match token {
            Token::Word(name) => {
                is_hidden(name) || tells_who(name) || (name == "execute" && is_before(tokens, at, "as"))
            }
            Token::Quoted(name) => is_hidden(name),
            Token::Sign(b'(') => at > 0 && !queries.contains(&(at - 1)) && !may_open(tokens, at),
            _ => false,
        };
        if is_refused {
            return Err(refused(token, at.checked_sub(1).and_then(|before| tokens.get(before))));
        }
    }
    Ok(kind)
}

fn refused(token: &Token, before: Option<&Token>) -> Failure {
    let name = token
        .name()
        .or_else(|| before.and_then(Token::name))
        .unwrap_or_default();
    Failure::Refused(match token {
        Token::Sign(_) => format!("`{name}` is not among what a plugin may call"),
        _ => format!("`{name}` is not for plugins"),
    })
}

/// The kind of a statement, by its first words.
fn kind(tokens: &[Token]) -> Result<Kind, Failure> {
    let mut words = tokens.iter().skip_while(|token| **token == Token::Sign(b'('));
    let Some(first) = words.next().and_then(keyword) else {
        return Err(Failure::Statement("There is no statement.".to_owned()));
    };
    let mut then = || words.next().and_then(keyword).unwrap_or_default();
    let of_schema = |object: &str, kind| OBJECTS.contains(&object).then_some(kind);
    let kind = match first {
        "select" | "values" => Some(Kind::Reads),
        "with" => main_verb(tokens),
        "insert" | "update" => Some(Kind::Writes),
        "delete" => Some(Kind::Deletes),
        "create" => match then() {
            "unique" if then() == "index" => Some(Kind::ChangesSchema),
            "or" if then() == "replace" && then() == "view" => Some(Kind::ChangesSchema),
            object => of_schema(object, Kind::ChangesSchema),
        },
        "alter" => of_schema(then(), Kind::ChangesSchema),
        "drop" => of_schema(then(), Kind::Drops),
        _ => None,
    };
    let kind = kind.map(|kind| if kind == Kind::Reads { into(tokens) } else { kind });
    kind.ok_or_else(|| {
        let first = first.to_uppercase();
        Failure::Refused(format!(
            "such a statement of the kind `{first}` is not among what a plugin may run"
        ))
    })
}

fn keyword(token: &Token) -> Option<&str> {
    match token {
        Token::Word(word) => Some(word),
        _ => None,
    }
}

/// What a query does that reads at first sight: its parts may insert, and `SELECT … INTO` makes a table.
fn into(tokens: &[Token]) -> Kind {
    let mut kind = Kind::Reads;
    for at in (0..tokens.len()).filter(|at| tokens[*at].is("into")) {
        match is_before(tokens, at, "insert") {
            true => kind = Kind::Writes,
            false => return Kind::ChangesSchema,
        }
    }
    kind
}

/// What a statement does behind the queries of its `WITH`.
fn main_verb(tokens: &[Token]) -> Option<Kind> {
    let mut depth = 0_u32;
    tokens.iter().find_map(|token| {
        match token {
            Token::Sign(b'(') => depth += 1,
            Token::Sign(b')') => depth = depth.saturating_sub(1),
            Token::Word(word) if depth == 0 => {
                return match word.as_str() {
                    "select" | "values" => Some(Kind::Reads),
                    "insert" | "update" => Some(Kind::Writes),
                    "delete" => Some(Kind::Deletes),
                    _ => None,
                };
            }
            _ => {}
        }
        None
    })
}

/// Whether the parenthesis at `open`, which has something before it, calls nothing, or what may be called.
fn may_open(tokens: &[Token], open: usize) -> bool {
    match &tokens[open - 1] {
        Token::Word(word) if may_precede_parenthesis(word) || may_be_called(word) => true,
        Token::Quoted(name) if may_be_called(name) => true,
        Token::Word(_) | Token::Quoted(_) => names_columns(tokens, open - 1),
        Token::Text | Token::Parameter | Token::Sign(_) => true,
    }
}

/// Whether the name at `name`, before a parenthesis, is that of a table, a view or an alias, whose columns follow.
fn names_columns(tokens: &[Token], name: usize) -> bool {
    let mut start = name;
    while start >= 2 && tokens[start - 1] == Token::Sign(b'.') && tokens[start - 2].name().is_some() {
        start -= 2;
    }
    let before = |keyword| is_before(tokens, start, keyword);
    // A call never stands right behind these words. That cannot be said of an alias without `AS`.
    if ["into", "table", "view", "references", "as"].into_iter().any(before) {
        return true;
    }
    let made =
        start >= 3 && tokens[start - 3].is("if") && tokens[start - 2].is("not") && tokens[start - 1].is("exists");
    made || (before("on") && is_index(tokens, start - 1))
        || (before("only") && is_index(tokens, start.saturating_sub(2)))
}

fn is_before(tokens: &[Token], at: usize, keyword: &str) -> bool {
    at > 0 && tokens[at - 1].is(keyword)
}

/// Whether the `ON` at `on` is the one of a CREATE INDEX that names its table.
fn is_index(tokens: &[Token], on: usize) -> bool {
    let makes_index =
        tokens[0].is("create") && (tokens[1].is("index") || (tokens[1].is("unique") && tokens[2].is("index")));
    makes_index && tokens.iter().position(|token| token.is("on")) == Some(on)
}

/// Where the names of the queries of a `WITH` stand that have names for their columns.
fn queries(tokens: &[Token]) -> HashSet<usize> {
    let mut names = HashSet::new();
    for at in (0..tokens.len()).filter(|at| tokens[*at].is("with")) {
        let mut name = at + 1 + usize::from(tokens.get(at + 1).is_some_and(|token| token.is("recursive")));
        while let Some(body) = query(tokens, name) {
            names.insert(name);
            match closing(tokens, body) {
                Some(close) if tokens.get(close + 1) == Some(&Token::Sign(b',')) => name = close + 2,
                _ => break,
            }
        }
    }
    names
}

/// The parenthesis that opens the query whose name stands at `name`: `name [(columns)] AS [[NOT] MATERIALIZED] (`.
fn query(tokens: &[Token], name: usize) -> Option<usize> {
    tokens.get(name)?.name()?;
    let mut at = name + 1;
    if tokens.get(at)? == &Token::Sign(b'(') {
        let close = closing(tokens, at)?;
        let are_names = |token: &Token| token.name().is_some() || *token == Token::Sign(b',');
        if !tokens[at + 1..close].iter().all(are_names) {
            return None;
        }
        at = close + 1;
    }
    if !tokens.get(at)?.is("as") {
        return None;
    }
    at += 1;
    for word in ["not", "materialized"] {
        at += usize::from(tokens.get(at)?.is(word));
    }
    (tokens.get(at)? == &Token::Sign(b'(')).then_some(at)
}

/// The parenthesis that closes the one at `open`.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_u32;
    tokens[open..]
        .iter()
        .position(|token| {
            match token {
                Token::Sign(b'(') => depth += 1,
                Token::Sign(b')') => depth -= 1,
                _ => {}
            }
            depth == 0
        })
        .map(|at| open + at)
}
