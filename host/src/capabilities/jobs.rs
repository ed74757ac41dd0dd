//! `galley:jobs`: what a job is told of its run.

use wasmtime::component::Resource;

use super::State;
use super::contract::galley::jobs::types;
use super::handles::{JobHandle, stale};
use super::objects::Job;

impl State {
    /// Gives the call its job; the answer is the handle that the guest borrows.
    pub fn begin_job(&mut self, job: Job) -> wasmtime::Result<Resource<JobHandle>> {
        let number = self.handles.number()?;
        self.call.job = Some((number, job));
        Ok(Resource::new_borrow(number))
    }

    fn job(&mut self, handle: &Resource<JobHandle>) -> wasmtime::Result<&Job> {
        self.enter()?;
        match &self.call.job {
            Some((number, job)) if *number == handle.rep() => Ok(job),
            _ => Err(stale()),
        }
    }
}

impl types::HostJob for State {
    fn name(&mut self, job: Resource<JobHandle>) -> wasmtime::Result<String> {
        Ok(self.job(&job)?.name.clone())
    }

    fn due(&mut self, job: Resource<JobHandle>) -> wasmtime::Result<u64> {
        Ok(self.job(&job)?.due)
    }

    fn drop(&mut self, _job: Resource<JobHandle>) -> wasmtime::Result<()> {
        Ok(())
    }
}

impl types::Host for State {}
