//! Style objects: `{ color: 'red', padding: 4 }`.

use std::ops::Range;

use oxc::ast::ast::{Expression, Statement};

use crate::source::classes::Coding;
use crate::source::model::{Branch, Choice, Code, Refusal, Replacement};
use crate::source::script::with_program;

use super::member::{Member, MemberValue, Place, plain};
use super::properties::{camel, covers, is_unitless};

/// An object literal with CSS properties. Offsets are those of the file's text.
#[derive(Debug, Clone)]
pub(super) struct StyleObject<'t> {
    text: &'t str,
    /// With its braces.
    range: Range<usize>,
    pub members: Vec<Member>,
    place: Place,
}

impl<'t> StyleObject<'t> {
    /// Reads the object at `range`; `None` when it is none, or not readable in its place.
    pub fn read(text: &'t str, range: Range<usize>, place: Place) -> Option<Self> {
        let source = text.get(range.clone())?;
        // A character reference in markup would shift everything.
        let coding = place.quote.map_or(Coding::Plain, Coding::Markup);
        if coding.decode(source)? != source {
            return None;
        }
        let shift = range.start;
        let wrapped = format!("({source})");
        let members = with_program("style.tsx", &wrapped, |program| {
            let [Statement::ExpressionStatement(statement)] = program.body.as_slice() else {
                return None;
            };
            let Expression::ObjectExpression(object) = plain(&statement.expression) else {
                return None;
            };
            let read = |property| Member::read(property, &wrapped, shift, place);
            Some(object.properties.iter().map(read).collect::<Vec<_>>())
        });
        let members = members.ok().flatten()?;
        Some(Self {
            text,
            range,
            members,
            place,
        })
    }

    /// The last member that declares the property; what stands behind it decides whether it is in force.
    pub fn find(&self, property: &str) -> Option<usize> {
        self.members
            .iter()
            .rposition(|member| member.property.as_deref() == Some(property))
    }

    /// Why the member cannot be changed or removed for certain.
    pub fn obstacle(&self, index: usize) -> Result<(), Refusal> {
        let property = self.members[index].property.clone().unwrap_or_default();
        for later in &self.members[index + 1..] {
            let refusal = match &later.property {
                None => Refusal::uncertain(
                    Code::SpreadAfter,
                    format!(
                        "Behind {property} follows {}, which may replace it: move it before, or change what it spreads",
                        self.excerpt(later)
                    ),
                ),
                Some(own) if covers(own, &property) => Refusal::uncertain(
                    Code::ShorthandAfter,
                    format!("Behind {property} follows {own}, which replaces it: change {own} instead"),
                ),
                Some(_) => continue,
            };
            return Err(refusal);
        }
        Ok(())
    }

    fn excerpt(&self, member: &Member) -> String {
        self.text[member.range.clone()].chars().take(40).collect()
    }

    /// Changes the value of a member.
    pub fn change(&self, index: usize, value: &str, branch: Option<Branch>) -> Result<Replacement, Refusal> {
        self.obstacle(index)?;
        let member = &self.members[index];
        let property = member.property.clone().unwrap_or_default();
        let literal = match (&member.value, branch) {
            (MemberValue::Literal(literal), _) => literal,
            (MemberValue::Sides(then, _), Some(Branch::Then)) => then,
            (MemberValue::Sides(_, other), Some(Branch::Else)) => other,
            (MemberValue::Sides(then, other), None) => {
                let choices = vec![
                    Choice::branch(Branch::Then, &then.css),
                    Choice::branch(Branch::Else, &other.css),
                ];
                let reason = format!("{property} depends on a condition: choose the side to change");
                return Err(Refusal::choose(reason, choices));
            }
            (MemberValue::Expression(range), _) => return Err(computed(&property, &self.text[range.clone()])),
        };
        let number = literal.quote.is_none().then(|| self.number(&property, value)).flatten();
        let written = number.unwrap_or_else(|| self.string(value, literal.quote.unwrap_or(self.quote())));
        Ok(Replacement::new(literal.range.clone(), written))
    }

    /// Adds a member behind the last one.
    pub fn add(&self, property: &str, value: &str) -> Replacement {
        let inner = self.range.start + 1..self.range.end - 1;
        let member = self.member(property, value);
        let Some(last) = self.members.last() else {
            let replaced = if self.text[inner.clone()].trim().is_empty() {
                inner
            } else {
                inner.start..inner.start
            };
            let comma = if replaced.is_empty() && !self.text[replaced.start..self.range.end - 1].is_empty() {
                ","
            } else {
                ""
            };
            return Replacement::new(replaced, format!(" {member}{comma} "));
        };
        let before = self
            .members
            .len()
            .checked_sub(2)
            .map_or(inner.start, |index| self.members[index].range.end);
        let gap = &self.text[before..last.range.start];
        let blank = &gap[gap.trim_end().len()..];
        let separator = match blank.rfind('\n') {
            Some(line) => &blank[if blank[..line].ends_with('\r') { line - 1 } else { line }..],
            None if self.members.len() == 1 => " ",
            None => blank,
        };
        // A comment at the line's end belongs to the member before it.
        let rest = &self.text[last.range.end..inner.end];
        let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        let comment = line
            .trim_start()
            .strip_prefix(',')
            .is_some_and(|rest| rest.trim_start().starts_with("//"));
        if comment && separator.contains('\n') {
            return Replacement::insert(last.range.end + line.len(), format!("{separator}{member},"));
        }
        Replacement::insert(last.range.end, format!(",{separator}{member}"))
    }

    /// Removes a member.
    pub fn remove(&self, index: usize) -> Result<Replacement, Refusal> {
        self.obstacle(index)?;
        let member = &self.members[index];
        let inner = self.range.start + 1..self.range.end - 1;
        let before = index.checked_sub(1).map(|index| self.members[index].range.end);
        let after = self.members.get(index + 1).map(|next| next.range.start);
        let only_commas = |range: Range<usize>| self.text[range].chars().all(|c| c == ',' || c.is_whitespace());
        let range = match (before, after) {
            (Some(before), _) if only_commas(before..member.range.start) => before..member.range.end,
            (None, Some(after)) if only_commas(member.range.end..after) => member.range.start..after,
            (None, None)
                if only_commas(inner.start..member.range.start) && only_commas(member.range.end..inner.end) =>
            {
                inner
            }
            _ => {
                let rest = &self.text[member.range.end..inner.end];
                let comma = rest
                    .trim_start()
                    .starts_with(',')
                    .then(|| rest.len() - rest.trim_start().len() + 1);
                let end = member.range.end + comma.unwrap_or_default();
                self.line(member.range.start..end).unwrap_or(member.range.start..end)
            }
        };
        Ok(Replacement::remove(range))
    }

    /// The range with the line break before it, when nothing else stands on its line.
    fn line(&self, range: Range<usize>) -> Option<Range<usize>> {
        let before = &self.text[self.range.start..range.start];
        let blank = before.len() - before.trim_end_matches([' ', '\t']).len();
        let line_break = before[..before.len() - blank].ends_with('\n').then_some(1)?;
        let carriage = usize::from(before[..before.len() - blank - 1].ends_with('\r'));
        let rest = &self.text[range.end..];
        rest.trim_start_matches([' ', '\t'])
            .starts_with(['\n', '\r'])
            .then_some(range.start - blank - line_break - carriage..range.end)
    }

    /// The text of a new member.
    fn member(&self, property: &str, value: &str) -> String {
        // Keys in quotes and in CSS's spelling, where the object has some.
        let kebabs = self.members.iter().any(|member| {
            let named = member.property.as_deref().unwrap_or_default();
            member.quoted && named.contains('-') && !named.starts_with("--")
        });
        let quoted = self
            .members
            .iter()
            .all(|member| member.quoted || member.property.is_none());
        let key = if property.starts_with("--") || (kebabs && (quoted || property.contains('-'))) {
            self.string(property, self.quote())
        } else {
            camel(property)
        };
        let numbers = self
            .members
            .iter()
            .any(|member| match (&member.value, &member.property) {
                (MemberValue::Literal(literal), Some(property)) => literal.quote.is_none() && !is_unitless(property),
                _ => false,
            });
        let number = (numbers || is_unitless(property))
            .then(|| self.number(property, value))
            .flatten();
        let number = number.filter(|_| !property.starts_with("--"));
        let value = number.unwrap_or_else(|| self.string(value, self.quote()));
        let tight = self
            .members
            .iter()
            .find(|member| member.property.is_some())
            .is_some_and(|member| {
                let source = &self.text[member.range.clone()];
                source
                    .split_once(':')
                    .is_some_and(|(_, value)| !value.starts_with(char::is_whitespace))
            });
        format!("{key}:{}{value}", if tight { "" } else { " " })
    }

    /// The value as a number, where one means the same.
    fn number(&self, property: &str, value: &str) -> Option<String> {
        let number = match value.strip_suffix("px") {
            Some(number) if self.place.pixels && !is_unitless(property) => number,
            None if is_unitless(property) || value == "0" => value,
            _ => return None,
        };
        let digits = number.strip_prefix('-').unwrap_or(number);
        let plain = digits.starts_with(|c: char| c.is_ascii_digit()) && !digits.ends_with('.');
        let whole = digits == "0" || digits.starts_with("0.") || !digits.starts_with('0');
        (plain
            && whole
            && number.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'))
            && number.parse::<f64>().is_ok())
        .then(|| number.to_owned())
    }

    /// The value as a string.
    fn string(&self, value: &str, quote: char) -> String {
        let written = Coding::Script(quote).encode(value).into_owned();
        let written = match self.place.quote {
            Some(outer) => Coding::Markup(outer).encode(&written).into_owned(),
            None => written,
        };
        format!("{quote}{written}{quote}")
    }

    /// The quotes of the object's strings; else those that the file has most of.
    fn quote(&self) -> char {
        if let Some(outer) = self.place.quote {
            return if outer == '\'' { '"' } else { '\'' };
        }
        let own = self.members.iter().find_map(|member| match &member.value {
            MemberValue::Literal(literal) => literal.quote.filter(|quote| *quote != '`'),
            _ => None,
        });
        own.unwrap_or_else(|| usual_quote(self.text))
    }
}

/// The quotes that a file's imports and strings have.
pub(super) fn usual_quote(text: &str) -> char {
    let count = |quote: char| {
        text.bytes()
            .take(20_000)
            .filter(|byte| char::from(*byte) == quote)
            .count()
    };
    let imports = text.lines().take(200).find(|line| line.starts_with("import "));
    match imports {
        Some(line) if line.contains('"') => '"',
        Some(line) if line.contains('\'') => '\'',
        _ if count('"') > count('\'') => '"',
        _ => '\'',
    }
}

/// The value comes from an expression.
pub(super) fn computed(property: &str, source: &str) -> Refusal {
    let source: String = source.chars().take(60).collect();
    let reason = format!("{property} is computed: {source}. Change it in the code, or where its parts are declared");
    Refusal::uncertain(Code::Expression, reason)
}

#[cfg(test)]
mod tests;
