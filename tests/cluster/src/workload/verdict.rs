//! What a run comes to.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::client::Common;
use super::instance;
use super::kept::History;
use super::project::{self, Project};
use super::run::Plan;
use super::trouble::Struck;
use crate::checker::comments::{self, Outcome};
use crate::checker::counter::Counter;
use crate::checker::history::Model;
use crate::checker::objection::{Kind, Objection};
use crate::checker::search::{self, MAX_CONFIGURATIONS, search};
use crate::checker::smallest::smallest;

/// The bound of each search for the smallest history: there are some for each of its requests.
const MAX_OF_SMALLEST: usize = 50_000;

/// What was found, with what was done.
#[derive(Debug, Default)]
pub struct Verdict {
    /// What was done, a line each.
    pub done: Vec<String>,
    /// What must not be.
    pub objections: Vec<Objection>,
    /// What the servers wrote, for whoever looks for a cause.
    pub logs: Vec<String>,
}

/// The verdict on a run that is over.
pub(super) fn of(
    plan: Plan,
    common: &Common,
    struck: &BTreeMap<&'static str, Struck>,
    projects: &[Arc<Project>],
) -> Verdict {
    let mut verdict = Verdict::default();
    let wrong = common.wrong.all().into_iter();
    verdict.objections.extend(wrong.map(|said| Kind::Wrong.said(said)));
    let instance = &common.instance;
    let settings = verdict.judge("the settings", &instance::settings(), &instance.settings);
    let mail = verdict.judge("the mail server", &instance::mail(), &instance.mail);
    let (mut facts, mut live, mut numbers, mut sent, mut listed) = (0, 0, 0, 0, 0);
    for project in projects {
        let id = &project.id;
        facts += verdict.judge(
            &format!("name and access of project {id}"),
            &project.record(),
            &project.facts,
        );
        live += verdict.judge(
            &format!("the live version of project {id}"),
            &project::nothing_live(),
            &project.live,
        );
        numbers += verdict.judge(
            &format!("the comments' numbers of project {id}"),
            &Counter,
            &project.numbers,
        );
        let (comments, lists) = (project.sent.all(), project.listed.all());
        let objections = comments::objections(&comments, &lists);
        let say = |found: Objection| found.kind.said(format!("comments of project {id}: {}", found.said));
        verdict.objections.extend(objections.into_iter().map(say));
        sent += comments.iter().filter(|sent| sent.outcome != Outcome::Refused).count();
        listed += lists.len();
    }
    for (what, count) in [
        ("settings", settings),
        ("mail server", mail),
        ("projects", facts),
        ("live versions", live),
        ("comments", sent),
    ] {
        if count == 0 {
            verdict.objections.push(Kind::Wrong.said(format!(
                "no request of the kind `{what}` was answered: nothing was tested"
            )));
        }
    }
    let [answered, refused, unknown] = common.counts.each_ref().map(|count| count.load(Ordering::Relaxed));
    verdict.done = vec![
        format!(
            "seed {}, {} servers, {} clients, {} s",
            plan.seed,
            plan.nodes,
            plan.clients,
            plan.time.as_secs()
        ),
        format!("requests: {answered} answered, {refused} refused, {unknown} of unknown outcome"),
        format!(
            "histories: {settings} of the settings, {mail} of the mail server; in {} projects {facts} of name and access, {live} of \
             the live version, {numbers} of numbers; {sent} comments in {listed} lists",
            projects.len()
        ),
        format!(
            "longest time without an answer: {:.1} s, without a write: {:.1} s",
            common.answers.longest().as_secs_f64(),
            common.writes.longest().as_secs_f64()
        ),
    ];
    verdict.done.extend(struck.iter().map(|(fault, sum)| {
        format!(
            "{} × {fault}: up to {:.1} s without an answer, {:.1} s without a write",
            sum.count,
            sum.silence.as_secs_f64(),
            sum.no_write.as_secs_f64()
        )
    }));
    verdict.logs = common.cluster.nodes().iter().map(|node| node.log()).collect();
    verdict
}

impl Verdict {
    /// Whether there is nothing to object to.
    pub fn is_good(&self) -> bool {
        self.objections.is_empty()
    }

    /// Searches an order for a history. How long that is.
    fn judge<M: Model>(&mut self, what: &str, model: &M, history: &History<M::Call>) -> usize {
        let history = history.all();
        match search(model, &history, MAX_CONFIGURATIONS) {
            search::Verdict::Legal => {}
            search::Verdict::Illegal => {
                let smallest = smallest(model, &history, MAX_OF_SMALLEST);
                let lines: Vec<String> = smallest.iter().map(|operation| format!("\n  {operation}")).collect();
                self.objections.push(Kind::Wrong.said(format!(
                    "{what}: no order explains these {} of {} requests (begin and end in seconds):{}",
                    smallest.len(),
                    history.len(),
                    lines.concat()
                )));
            }
            search::Verdict::TooLarge(visited) => self.objections.push(Kind::Wrong.said(format!(
                "{what}: not decided: the search for an order of {} requests, {} of them of unknown outcome, was given up after {visited} \
                 configurations. A run with fewer clients or less time is decided sooner",
                history.len(),
                history.iter().filter(|operation| operation.returned.is_none()).count()
            ))),
        }
        history.len()
    }
}

impl Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.done {
            writeln!(f, "{line}")?;
        }
        for objection in &self.objections {
            writeln!(f, "OBJECTION: {}", objection.said)?;
        }
        let of = |kind| self.objections.iter().filter(|found| found.kind == kind).count();
        let [lost, doubled, wrong] = [Kind::Lost, Kind::Doubled, Kind::Wrong].map(of);
        writeln!(f, "lost: {lost}, doubled: {doubled}, wrong: {wrong}")?;
        match self.objections.len() {
            0 => write!(f, "verdict: every answer is explained by an order of the requests"),
            count => write!(f, "verdict: {count} objections"),
        }
    }
}
