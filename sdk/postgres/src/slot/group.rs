//! The writes of a slot: all that wait are run in one transaction under the slot's lock. One that fails is answered, and the others
//! are run again without it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::bounds::Bounds;
use super::connection::{Connection, is_stale_plan, rounded};
use super::failure::Failure;
use super::gauge::Gauge;
use super::generation::Noted;
use super::pool::Pool;
use super::settle::{End, RECEIPTS, Times, begin, commit, lost};
use super::work::{Answer, Event, Ready, Work};
use crate::receipt;
use crate::turn::Turn;
use crate::value::Value;

/// The most writes that share one commit.
const MAX_GROUP: usize = 128;

/// How often a group is tried whose connection was lost before it was told to commit.
const MAX_ATTEMPTS: u32 = 5;

/// The pause behind the first attempt; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(20);

/// A statement of a group that takes so long is slow: its write is run again by itself, behind the others.
const SLOW: Duration = Duration::from_millis(100);

/// How long the group of another server is waited for.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a group may be idle between two of its statements. A server that is frozen loses the slot's lock so.
const IDLE_TIMEOUT: Duration = Duration::from_secs(2);

/// How often old receipts are forgotten.
const FORGET_PAUSE: Duration = Duration::from_secs(600);

/// How long a rollback, or a statement of the host's, may take.
const HOST_TIMEOUT: Duration = Duration::from_secs(2);

/// A write that waits.
pub struct Job {
    pub work: Work,
    pub reply: oneshot::Sender<Result<Vec<Answer>, Failure>>,
    /// Who waits for the reply may leave.
    pub turn: Turn,
}

impl Job {
    fn finish(self, answer: Result<Vec<Answer>, Failure>) {
        // The caller may have gone away; what it wrote is committed all the same.
        let _ = self.reply.send(answer);
    }
}

/// What the writer of a slot uses.
pub struct Writer {
    pub pool: Arc<Pool>,
    pub gauge: Arc<Gauge>,
    pub bounds: Bounds,
    /// The edition of the data.
    pub edition: i64,
}

/// What became of an attempt.
enum Attempt {
    /// All of it is durable.
    Done(Vec<Vec<Answer>>),
    /// This one failed, and nothing is there.
    Failed(usize, Failure),
    /// This one takes long, and nothing is there.
    Slow(usize),
    /// Somebody left, and nothing is there.
    Left,
    /// Nothing is there, and the same may succeed now.
    Again(Failure),
    /// Nothing is there, or nobody knows.
    Over(Failure),
}

impl Writer {
    /// Runs the writes until nobody can hand over any.
    pub async fn work(self, mut inbox: mpsc::UnboundedReceiver<Job>) {
        let mut waiting = Vec::new();
        let mut forgotten = Instant::now();
        while inbox.recv_many(&mut waiting, MAX_GROUP).await > 0 {
            if forgotten.elapsed() > FORGET_PAUSE {
                forgotten = Instant::now();
                self.forget_receipts().await;
            }
            for slow in self.group(std::mem::take(&mut waiting), Some(SLOW)).await {
                self.group(vec![slow], None).await;
            }
        }
    }

    /// Deletes what nobody asks for any more. What fails is done the next time.
    async fn forget_receipts(&self) {
        let until = Instant::now() + HOST_TIMEOUT;
        if let Ok(mut connection) = self.pool.lease(until).await {
            let _ = connection.batch(&receipt::forget(RECEIPTS), until).await;
        }
    }

    /// Runs writes together. Those that need longer than the cap are given back.
    async fn group(&self, mut jobs: Vec<Job>, cap: Option<Duration>) -> Vec<Job> {
        let (mut slow, mut attempts, mut pause) = (Vec::new(), 1, FIRST_PAUSE);
        loop {
            let now = Instant::now();
            for job in jobs.extract_if(.., |job| job.work.deadline <= now) {
                job.finish(Err(Failure::Interrupted));
            }
            // What was told to nobody must not happen later.
            jobs.retain(|job| job.turn.again());
            if jobs.is_empty() {
                return slow;
            }
            let cap = cap.filter(|_| jobs.len() > 1);
            match self.attempt(&jobs, cap).await {
                Attempt::Done(answers) => {
                    jobs.into_iter()
                        .zip(answers)
                        .for_each(|(job, answer)| job.finish(Ok(answer)));
                    return slow;
                }
                Attempt::Failed(at, failure) => jobs.remove(at).finish(Err(failure)),
                Attempt::Slow(at) => {
                    let job = jobs.remove(at);
                    job.turn.again();
                    slow.push(job);
                }
                Attempt::Left => {}
                Attempt::Again(_) if attempts < MAX_ATTEMPTS => {
                    attempts += 1;
                    tokio::time::sleep(pause).await;
                    pause *= 2;
                }
                // What is checked at the commit: nobody knows whose it is.
                Attempt::Over(Failure::Constraint(_)) if jobs.len() > 1 => {
                    for job in &jobs {
                        job.turn.again();
                    }
                    slow.append(&mut jobs);
                    return slow;
                }
                Attempt::Again(failure) | Attempt::Over(failure) => {
                    jobs.into_iter().for_each(|job| job.finish(Err(failure.clone())));
                    return slow;
                }
            }
        }
    }

    async fn attempt(&self, jobs: &[Job], cap: Option<Duration>) -> Attempt {
        let last = jobs
            .iter()
            .map(|job| job.work.deadline)
            .max()
            .unwrap_or_else(Instant::now);
        let mut connection = match self.pool.lease(last).await {
            Ok(connection) => connection,
            Err(failure) => return Attempt::Over(failure),
        };
        let wait = LOCK_TIMEOUT.min(last.saturating_duration_since(Instant::now()));
        let first = jobs.first().map_or(last, |job| job.work.deadline);
        let times = Times {
            wait,
            idle: IDLE_TIMEOUT,
            bound: bound(first, cap),
            writes: Some(Noted {
                writes: jobs.iter().filter(|job| !job.work.is_hosts).count(),
                edition: self.edition,
            }),
        };
        let begun = begin(&mut connection, times).await;
        let looked = match begun {
            Ok(receipt) => self.gauge.look(&mut connection).await.map(|()| receipt),
            Err(failure) => Err(failure),
        };
        let receipt = match looked {
            Ok(receipt) => receipt,
            Err(failure) if failure.is_loss() => return Attempt::Again(failure),
            Err(failure) => return Attempt::Over(failure),
        };
        if !jobs.iter().all(|job| job.turn.begin()) {
            undo(&mut connection).await;
            return Attempt::Left;
        }
        let ran = match cap {
            Some(cap) if jobs.iter().all(|job| job.work.steps.iter().all(Ready::keeps_schema)) => {
                self.run_together(&mut connection, jobs, cap).await
            }
            _ => self.run_each(&mut connection, jobs, cap).await,
        };
        let answers = match ran {
            Ok(answers) => answers,
            Err((at, failure)) => {
                let is_loss = failure.is_loss() || is_stale_plan(&failure);
                undo(&mut connection).await;
                let has_time = jobs.get(at).is_some_and(|job| Instant::now() < job.work.deadline);
                return match failure {
                    failure if is_loss => Attempt::Again(failure),
                    Failure::Interrupted if cap.is_some() && has_time => Attempt::Slow(at),
                    failure => Attempt::Failed(at, failure),
                };
            }
        };
        if !jobs.iter().all(|job| job.turn.end()) {
            undo(&mut connection).await;
            return Attempt::Left;
        }
        match commit(&mut connection, &receipt, &self.pool, &self.bounds).await {
            Ok(End::Committed) => Attempt::Done(answers),
            Ok(End::Undone) => Attempt::Again(lost()),
            Err(failure) if failure.is_loss() => Attempt::Again(failure),
            Err(failure) => Attempt::Over(failure),
        }
    }

    /// Runs one job after the other. A failure says whose it is.
    async fn run_each(
        &self,
        connection: &mut Connection,
        jobs: &[Job],
        cap: Option<Duration>,
    ) -> Result<Vec<Vec<Answer>>, (usize, Failure)> {
        let mut answers = Vec::with_capacity(jobs.len());
        for (at, job) in jobs.iter().enumerate() {
            let ran = run(connection, &job.work, cap, &self.gauge, &self.bounds).await;
            answers.push(ran.map_err(|failure| (at, failure))?);
        }
        Ok(answers)
    }

    /// The same without waiting for the answer to one statement before the next is sent, for statements that do not make or change
    /// tables: those behind them could not be prepared.
    async fn run_together(
        &self,
        connection: &mut Connection,
        jobs: &[Job],
        cap: Duration,
    ) -> Result<Vec<Vec<Answer>>, (usize, Failure)> {
        let is_full = self.gauge.is_full();
        let all = jobs.iter().enumerate();
        let mut all: Vec<(usize, &Ready)> = all
            .flat_map(|(at, job)| job.work.steps.iter().map(move |step| (at, step)))
            .collect();
        if let Some((at, _)) = all.iter().find(|(_, step)| is_full && step.grows()) {
            return Err((*at, Failure::Full));
        }
        let count = all.len();
        let events = events_of(connection, jobs, &self.bounds).await?;
        all.extend(events.iter().map(|(at, insert)| (*at, insert)));
        let together: Vec<&Ready> = all.iter().map(|(_, step)| *step).collect();
        let ran = connection.run_all(&together, cap).await;
        let ran = ran.map_err(|(at, failure)| (all.get(at).map_or(0, |(job, _)| *job), failure))?;
        let mut answers: Vec<Vec<Answer>> = jobs.iter().map(|_| Vec::new()).collect();
        for ((job, step), answer) in all.iter().zip(ran).take(count) {
            let answer = step.expecting(answers[*job].len(), answer);
            answers[*job].push(answer.map_err(|failure| (*job, failure))?);
        }
        Ok(answers)
    }
}

/// Rolls back, where there is still somebody to tell.
async fn undo(connection: &mut Connection) {
    if connection.is_usable() {
        let _ = connection.end("ROLLBACK", Instant::now() + HOST_TIMEOUT).await;
    }
}

/// Runs the statements of one write in the transaction that is under way.
pub async fn run(
    connection: &mut Connection,
    work: &Work,
    cap: Option<Duration>,
    gauge: &Gauge,
    bounds: &Bounds,
) -> Result<Vec<Answer>, Failure> {
    let mut answers = Vec::with_capacity(work.steps.len());
    for (at, step) in work.steps.iter().enumerate() {
        if gauge.is_full() && step.grows() {
            return Err(Failure::Full);
        }
        if Instant::now() >= work.deadline {
            return Err(Failure::Interrupted);
        }
        let answer = connection.run_within(step, bound(work.deadline, cap)).await?;
        answers.push(step.expecting(at, answer)?);
    }
    keep(connection, &work.events, bounds).await?;
    Ok(answers)
}

/// The server's bound of a statement.
fn bound(deadline: Instant, cap: Option<Duration>) -> Duration {
    let left = rounded(deadline.saturating_duration_since(Instant::now()));
    cap.map_or(left, |cap| cap.min(left))
}

/// Stores events in the transaction that is under way.
async fn keep(connection: &mut Connection, events: &[Event], bounds: &Bounds) -> Result<(), Failure> {
    if events.is_empty() {
        return Ok(());
    }
    if waiting(connection).await? >= bounds.waiting_events {
        return Err(Failure::Backlog);
    }
    for event in events {
        connection.run_within(&insert(event), HOST_TIMEOUT).await?;
    }
    Ok(())
}

/// The statements that store the events of a group, each with the job whose event it is.
async fn events_of(
    connection: &mut Connection,
    jobs: &[Job],
    bounds: &Bounds,
) -> Result<Vec<(usize, Ready)>, (usize, Failure)> {
    let Some(first) = jobs.iter().position(|job| !job.work.events.is_empty()) else {
        return Ok(Vec::new());
    };
    let mut waiting = waiting(connection).await.map_err(|failure| (first, failure))?;
    let mut inserts = Vec::new();
    for (at, job) in jobs.iter().enumerate() {
        if !job.work.events.is_empty() && waiting >= bounds.waiting_events {
            return Err((at, Failure::Backlog));
        }
        waiting += job.work.events.len() as u64;
        inserts.extend(job.work.events.iter().map(|event| (at, insert(event))));
    }
    Ok(inserts)
}

/// How many events wait: they stay here only while they cannot be moved on.
async fn waiting(connection: &mut Connection) -> Result<u64, Failure> {
    let count = "SELECT count(*) FROM public._galley_events";
    let waiting = connection.batch(count, Instant::now() + HOST_TIMEOUT).await?;
    Ok(waiting.and_then(|count| count.parse().ok()).unwrap_or_default())
}

fn insert(Event { topic, data }: &Event) -> Ready {
    let sql = "INSERT INTO public._galley_events (topic, data) VALUES ($1, $2)";
    Ready::of_host(sql, vec![Value::Text(topic.clone()), Value::Text(data.clone())])
}
