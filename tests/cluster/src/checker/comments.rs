//! The comments of a project: a list that only grows, each with a number and a text of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::history::Moment;
use super::objection::{Kind, Objection};

/// What became of a comment that somebody sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It has this number, said an answer that was there at this moment.
    Acknowledged {
        /// The number.
        number: u64,
        /// The moment.
        returned: Moment,
    },
    /// It was not taken.
    Refused,
    /// Nobody knows.
    Unknown,
}

/// A comment that somebody sent.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Its text. No other comment has it.
    pub body: String,
    /// When it was sent for the first time.
    pub invoked: Moment,
    /// What became of it.
    pub outcome: Outcome,
}

/// A list that somebody got.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Who asked. A client asks for one list after the other.
    pub client: usize,
    /// The server that was asked.
    pub node: usize,
    /// When it was asked for.
    pub invoked: Moment,
    /// When it was there.
    pub returned: Moment,
    /// Numbers and texts, in their order.
    pub comments: Vec<(u64, String)>,
}

/// Each thing that must not be.
pub fn objections(sent: &[Sent], listed: &[Listed]) -> Vec<Objection> {
    let sent: BTreeMap<&str, &Sent> = sent.iter().map(|sent| (sent.body.as_str(), sent)).collect();
    let mut objections = BTreeSet::new();
    for list in listed {
        objections.extend(wrong_alone(list, &sent));
        objections.extend(missing(list, &sent));
    }
    objections.extend(renumbered(listed, &sent));
    objections.extend(gone_again(listed));
    objections.into_iter().collect()
}

/// What is wrong with a list, whatever others showed.
fn wrong_alone(list: &Listed, sent: &BTreeMap<&str, &Sent>) -> Vec<Objection> {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for (_, body) in &list.comments {
        if !seen.insert(body) {
            wrong.push(Kind::Doubled.said(format!("{body}: there twice, as {} saw", by(list))));
        }
        match sent.get(body.as_str()) {
            None => wrong.push(Kind::Wrong.said(format!("{body}: nobody wrote it, and {} saw it", by(list)))),
            Some(sent) if sent.invoked > list.returned => {
                let said = format!("{body}: {} saw it before it was written", by(list));
                wrong.push(Kind::Wrong.said(said));
            }
            Some(sent) if sent.outcome == Outcome::Refused => {
                wrong.push(Kind::Wrong.said(format!("{body}: was refused, and {} saw it", by(list))));
            }
            Some(_) => {}
        }
    }
    if list.comments.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
        let said = format!("numbers do not rise in the list that {} got", by(list));
        wrong.push(Kind::Wrong.said(said));
    }
    wrong
}

/// Comments that were acknowledged before a list was asked for, and are not in it.
fn missing(list: &Listed, sent: &BTreeMap<&str, &Sent>) -> Vec<Objection> {
    let there: BTreeSet<&str> = list.comments.iter().map(|(_, body)| body.as_str()).collect();
    let expected = sent.values().filter(|sent| match sent.outcome {
        Outcome::Acknowledged { returned, .. } => returned < list.invoked,
        _ => false,
    });
    let missing = expected.filter(|sent| !there.contains(sent.body.as_str()));
    let say = |sent: &&Sent| {
        Kind::Lost.said(format!(
            "{}: acknowledged, and missing in the later list that {} got",
            sent.body,
            by(list)
        ))
    };
    missing.map(say).collect()
}

/// Comments that were seen with two numbers, or with another one than was acknowledged, and numbers of two comments.
fn renumbered(listed: &[Listed], sent: &BTreeMap<&str, &Sent>) -> Vec<Objection> {
    let mut numbers: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    for sent in sent.values() {
        if let Outcome::Acknowledged { number, .. } = sent.outcome {
            numbers.entry(&sent.body).or_default().insert(number);
        }
    }
    for (number, body) in listed.iter().flat_map(|list| &list.comments) {
        numbers.entry(body).or_default().insert(*number);
    }
    let mut bodies: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for (body, numbers) in &numbers {
        numbers
            .iter()
            .for_each(|number| bodies.entry(*number).or_default().push(body));
    }
    let changed = numbers.iter().filter(|(_, numbers)| numbers.len() > 1);
    let changed = changed.map(|(body, numbers)| Kind::Doubled.said(format!("{body}: had the numbers {numbers:?}")));
    let shared = bodies.iter().filter(|(_, bodies)| bodies.len() > 1);
    let shared = shared.map(|(number, bodies)| {
        let said = format!("the number {number} was given to {}", bodies.join(" and "));
        Kind::Doubled.said(said)
    });
    changed.chain(shared).collect()
}

/// Comments that a list showed, and that are not in one that was asked for afterwards, by whomever and anywhere.
fn gone_again(listed: &[Listed]) -> Vec<Objection> {
    let mut by_end: Vec<&Listed> = listed.iter().collect();
    by_end.sort_by_key(|list| list.returned);
    let mut by_start: Vec<&Listed> = listed.iter().collect();
    by_start.sort_by_key(|list| list.invoked);
    let mut seen: BTreeMap<&str, &Listed> = BTreeMap::new();
    let mut ended = by_end.into_iter().peekable();
    let mut gone = Vec::new();
    for list in by_start {
        while let Some(earlier) = ended.next_if(|earlier| earlier.returned < list.invoked) {
            for (_, body) in &earlier.comments {
                seen.entry(body).or_insert(earlier);
            }
        }
        let there: BTreeSet<&str> = list.comments.iter().map(|(_, body)| body.as_str()).collect();
        for (body, earlier) in seen.iter().filter(|(body, _)| !there.contains(*body)) {
            gone.push(Kind::Lost.said(format!(
                "{body}: {} saw it, and afterwards {} did not",
                by(earlier),
                by(list)
            )));
        }
    }
    gone
}

/// Who got a list, and when.
fn by(list: &Listed) -> String {
    let (client, node) = (list.client + 1, list.node + 1);
    format!(
        "client {client} at node {node} ({:.6} to {:.6})",
        list.invoked as f64 / 1e6,
        list.returned as f64 / 1e6
    )
}
