//! The smallest part of a history without an order that shows it: what somebody reads who looks for the cause.

use super::history::{Model, Moment, Operation};
use super::search::{Verdict, search};

/// Takes away what is not needed for there to be no order. `operations` has none; `most` is the bound of each search.
pub fn smallest<M: Model>(model: &M, operations: &[Operation<M::Call>], most: usize) -> Vec<Operation<M::Call>> {
    let is_illegal = |part: &[Operation<M::Call>]| search(model, part, most) == Verdict::Illegal;
    // What happened until a moment has an order when all that happened has one, so the first moment without one can be halved in on.
    let mut ends: Vec<Moment> = operations.iter().filter_map(|operation| operation.returned).collect();
    ends.sort_unstable();
    let first = ends.partition_point(|&end| !is_illegal(&until(model, operations, end)));
    let mut left = match ends.get(first) {
        Some(&end) => until(model, operations, end),
        None => operations.to_vec(),
    };
    // Again from the start as long as something goes: without a read, a write may explain nothing any more.
    loop {
        let before = left.len();
        for at in (0..left.len()).rev() {
            let taken = left.remove(at);
            let others: Vec<_> = left.iter().map(|operation| &operation.call).collect();
            if !(model.may_leave_out(&taken.call, &others) && is_illegal(&left)) {
                left.insert(at, taken);
            }
        }
        if left.len() == before {
            left.sort_by_key(|operation| operation.invoked);
            return left;
        }
    }
}

/// What was known at a moment.
fn until<M: Model>(model: &M, operations: &[Operation<M::Call>], end: Moment) -> Vec<Operation<M::Call>> {
    let sent = operations.iter().filter(|operation| operation.invoked <= end);
    let known = sent.filter_map(|operation| {
        if operation.returned.is_some_and(|returned| returned <= end) {
            return Some(operation.clone());
        }
        Some(Operation {
            call: model.without_answer(&operation.call)?,
            returned: None,
            ..operation.clone()
        })
    });
    known.collect()
}
