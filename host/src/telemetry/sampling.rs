//! Which requests are traced: so many a second. A quiet server traces each of them; under load a share says as much, and costs
//! little.

use std::sync::Arc;
use std::time::Instant;

use opentelemetry::trace::{Link, SpanKind, TraceContextExt, TraceId, TraceState};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::trace::{SamplingDecision, SamplingResult, ShouldSample};
use parking_lot::Mutex;

/// Begins at most so many traces a second. A span within this server follows the one it lies in. A client that says its own
/// trace is not recorded gets none here; one that says it is counts as any other, because anybody can say so.
#[derive(Debug, Clone)]
pub(super) struct PerSecond(Arc<Mutex<Allowance>>);

impl PerSecond {
    pub(super) fn new(traces: u32) -> Self {
        Self(Arc::new(Mutex::new(Allowance::new(traces, Instant::now()))))
    }

    fn records(&self, parent: Option<&Context>) -> bool {
        let parent = parent
            .filter(|parent| parent.has_active_span())
            .map(|parent| parent.span());
        match parent.as_ref().map(|span| span.span_context()) {
            Some(context) if !context.is_remote() => context.is_sampled(),
            Some(context) if !context.is_sampled() => false,
            _ => self.0.lock().take(Instant::now()),
        }
    }
}

impl ShouldSample for PerSecond {
    fn should_sample(
        &self,
        parent: Option<&Context>,
        _: TraceId,
        _: &str,
        _: &SpanKind,
        _: &[KeyValue],
        _: &[Link],
    ) -> SamplingResult {
        let decision = if self.records(parent) {
            SamplingDecision::RecordAndSample
        } else {
            SamplingDecision::Drop
        };
        let trace_state = parent.map_or_else(TraceState::default, |parent| {
            parent.span().span_context().trace_state().clone()
        });
        SamplingResult {
            decision,
            attributes: Vec::new(),
            trace_state,
        }
    }
}

/// What may still be taken: it grows with time, up to what one second brings.
#[derive(Debug)]
struct Allowance {
    per_second: f64,
    left: f64,
    at: Instant,
}

impl Allowance {
    fn new(per_second: u32, now: Instant) -> Self {
        let per_second = f64::from(per_second);
        Self {
            per_second,
            left: per_second,
            at: now,
        }
    }

    fn take(&mut self, now: Instant) -> bool {
        let grown = now.saturating_duration_since(self.at).as_secs_f64() * self.per_second;
        self.left = (self.left + grown).min(self.per_second);
        self.at = now;
        let is_there = self.left >= 1.0;
        if is_there {
            self.left -= 1.0;
        }
        is_there
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use opentelemetry::trace::{SpanContext, SpanId, TraceFlags};

    use super::*;

    #[test]
    fn so_many_a_second_and_no_more_after_a_pause() {
        let start = Instant::now();
        let mut allowance = Allowance::new(3, start);
        let mut taken = |seconds: f64| {
            let now = start + Duration::from_secs_f64(seconds);
            (0..10).filter(|_| allowance.take(now)).count()
        };
        assert_eq!([taken(0.0), taken(0.1), taken(0.5), taken(60.0)], [3, 0, 1, 3]);
    }

    #[test]
    fn parts_of_a_trace_follow_it_and_clients_can_only_decline() {
        let parent = |sampled, remote| {
            let flags = TraceFlags::default().with_sampled(sampled);
            let (trace, span) = (TraceId::from(7), SpanId::from(7));
            let context = SpanContext::new(trace, span, flags, remote, TraceState::default());
            Context::new().with_remote_span_context(context)
        };
        let one = PerSecond::new(1);
        assert!(!one.records(Some(&parent(false, true))), "its client does not want it");
        assert!(one.records(Some(&parent(true, true))));
        assert!(
            !one.records(Some(&parent(true, true))) && !one.records(None),
            "the second is used up"
        );
        assert!(one.records(Some(&parent(true, false))), "within a trace");
        assert!(!one.records(Some(&parent(false, false))));
    }
}
