//! `galley:administration/audit`.

use super::administer;
use crate::administration::audit::Entry;
use crate::error::Problem;

pub(crate) fn read(before: Option<u64>, limit: u32) -> Result<Vec<Entry>, Problem> {
    administer(|world| {
        let entries = world.administration.entries.iter().rev();
        let earlier = entries.filter(|entry| before.is_none_or(|before| entry.id < before));
        Ok(earlier.take(limit.min(200) as usize).cloned().collect())
    })
}
