//! Functions that replace SQLite's own on restricted connections.
//!
//! A call of a function is one step of SQLite's virtual machine, and the deadline is looked at between steps only. SQLite's
//! `instr`, `replace`, `trim` and `unhex` take the product of the lengths of their arguments, LIKE and GLOB the product of
//! text and pattern: minutes for arguments of 1 MiB. These take one pass, or look at the deadline themselves. They answer
//! what SQLite's own answer.

use std::borrow::Cow;
use std::collections::HashSet;

use memchr::memmem;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Result, ffi};

use crate::bounds::{Clock, MAX_LENGTH, MAX_PATTERN_LENGTH, exempt, failure};
use crate::pattern::{Pattern, char_len};

/// Replaces the functions on a connection.
pub fn replace(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    let add = |name: &str, arguments, function: fn(&Context<'_>) -> Result<Option<Value>>| {
        connection.create_scalar_function(name, arguments, flags, move |context| {
            Ok(ToSqlOutput::Owned(function(context)?.unwrap_or(Value::Null)))
        })
    };
    add("instr", 2, instr)?;
    add("replace", 3, replaced)?;
    add("like", 2, like)?;
    add("like", 3, like)?;
    add("glob", 2, glob)?;
    add("trim", 2, |context| trimmed(context, true, true))?;
    add("ltrim", 2, |context| trimmed(context, true, false))?;
    add("rtrim", 2, |context| trimmed(context, false, true))?;
    add("unhex", 2, unhex)
}

/// An argument as text; `None` for NULL.
fn text<'c>(context: &'c Context<'_>, at: usize) -> Option<Cow<'c, [u8]>> {
    Some(match exempt(|| context.get_raw(at)) {
        ValueRef::Null => return None,
        ValueRef::Integer(value) => Cow::Owned(value.to_string().into_bytes()),
        ValueRef::Real(value) => Cow::Owned(real(value).into_bytes()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Cow::Borrowed(bytes),
    })
}

/// A number as SQLite writes it.
fn real(value: f64) -> String {
    if value == 0.0 {
        return "0.0".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let with_point = |number: &str| match number.contains('.') {
        true => number.to_owned(),
        false => format!("{number}.0"),
    };
    if (-4..17).contains(&exponent) {
        with_point(&value.to_string())
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", with_point(mantissa), exponent.abs())
    }
}

/// A text of an argument's bytes. A text that is not UTF-8 stays a text for SQLite only; here it becomes one.
fn text_value(bytes: &[u8]) -> Value {
    Value::Text(String::from_utf8_lossy(bytes).into_owned())
}

/// `instr(X, Y)`: where Y is in X, in characters, or in bytes when both are blobs; 0 when it is not.
fn instr(context: &Context<'_>) -> Result<Option<Value>> {
    let blobs = [0, 1].map(|at| matches!(exempt(|| context.get_raw(at)), ValueRef::Blob(_)));
    let (Some(haystack), Some(needle)) = (text(context, 0), text(context, 1)) else {
        return Ok(None);
    };
    let found = memmem::find(&haystack, &needle);
    let place = found.map_or(0, |at| match blobs {
        [true, true] => at + 1,
        _ => 1 + haystack[..at].iter().filter(|byte| **byte & 0xc0 != 0x80).count(),
    });
    Ok(Some(Value::Integer(place as i64)))
}

/// `replace(X, Y, Z)`: X with each Y replaced by Z.
fn replaced(context: &Context<'_>) -> Result<Option<Value>> {
    let (Some(input), Some(pattern)) = (text(context, 0), text(context, 1)) else {
        return Ok(None);
    };
    if pattern.first().is_none_or(|byte| *byte == 0) {
        return Ok(Some(text_value(&input)));
    }
    let Some(with) = text(context, 2) else {
        return Ok(None);
    };
    let mut output = Vec::with_capacity(input.len());
    let mut from = 0;
    let mut clock = Clock::default();
    for at in memmem::find_iter(&input, pattern.as_ref()) {
        output.extend_from_slice(&input[from..at]);
        output.extend_from_slice(&with);
        from = at + pattern.len();
        if output.len() > MAX_LENGTH as usize {
            return Err(failure(ffi::SQLITE_TOOBIG));
        }
        clock.tick(1 + with.len())?;
    }
    output.extend_from_slice(&input[from..]);
    Ok(Some(text_value(&output)))
}

/// `like(Y, X)` and `like(Y, X, Z)`: X LIKE Y ESCAPE Z.
fn like(context: &Context<'_>) -> Result<Option<Value>> {
    let escape = match context.len() {
        3 => match text(context, 2) {
            Some(escape) => Some(escape),
            None => return Ok(None),
        },
        _ => None,
    };
    let escape = escape.as_deref();
    if escape.is_some_and(|escape| escape.is_empty() || char_len(escape) != escape.len()) {
        return Err(rusqlite::Error::UserFunctionError(
            "ESCAPE expression must be a single character".into(),
        ));
    }
    compare(context, |pattern| Pattern::like(pattern, escape))
}

/// `glob(Y, X)`: X GLOB Y.
fn glob(context: &Context<'_>) -> Result<Option<Value>> {
    compare(context, Pattern::glob)
}

fn compare(context: &Context<'_>, parse: impl FnOnce(&[u8]) -> Pattern) -> Result<Option<Value>> {
    let (Some(pattern), Some(value)) = (text(context, 0), text(context, 1)) else {
        return Ok(None);
    };
    if pattern.len() > MAX_PATTERN_LENGTH as usize {
        return Err(rusqlite::Error::UserFunctionError(
            "LIKE or GLOB pattern too complex".into(),
        ));
    }
    let matches = parse(&pattern).matches(&value, &mut Clock::default())?;
    Ok(Some(Value::Integer(matches.into())))
}

/// `trim(X, Y)`: X without the characters of Y at its ends.
fn trimmed(context: &Context<'_>, left: bool, right: bool) -> Result<Option<Value>> {
    let (Some(input), Some(set)) = (text(context, 0), text(context, 1)) else {
        return Ok(None);
    };
    let mut clock = Clock::default();
    let set = set_of(&set, &mut clock)?;
    let mut rest = input.as_ref();
    while left && !rest.is_empty() && set.contains(&rest[..char_len(rest)]) {
        clock.tick(1)?;
        rest = &rest[char_len(rest)..];
    }
    while right && !rest.is_empty() {
        clock.tick(1)?;
        let start = rest.iter().rposition(|byte| byte & 0xc0 != 0x80).unwrap_or(0);
        if !set.contains(&rest[start..]) {
            break;
        }
        rest = &rest[..start];
    }
    Ok(Some(text_value(rest)))
}

/// `unhex(X, Y)`: the bytes of the hexadecimal digits of X, between which characters of Y may stand; else NULL.
fn unhex(context: &Context<'_>) -> Result<Option<Value>> {
    let (Some(input), Some(ignored)) = (text(context, 0), text(context, 1)) else {
        return Ok(None);
    };
    let mut clock = Clock::default();
    let ignored = set_of(&ignored, &mut clock)?;
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let mut rest = input.as_ref();
    let mut output = Vec::with_capacity(rest.len() / 2);
    while let Some(&first) = rest.first() {
        clock.tick(1)?;
        let length = char_len(rest);
        match (digit(first), rest.get(1).copied().and_then(digit)) {
            (Some(high), Some(low)) => {
                output.push(high << 4 | low);
                rest = &rest[2..];
            }
            (None, _) if ignored.contains(&rest[..length]) => rest = &rest[length..],
            _ => return Ok(None),
        }
    }
    Ok(Some(Value::Blob(output)))
}

/// The characters of a text.
fn set_of<'t>(text: &'t [u8], clock: &mut Clock) -> Result<HashSet<&'t [u8]>> {
    chars(text).map(|char| clock.tick(1).map(|()| char)).collect()
}

fn chars(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (char, rest) = text.split_at(char_len(text));
        text = rest;
        (!char.is_empty()).then_some(char)
    })
}
