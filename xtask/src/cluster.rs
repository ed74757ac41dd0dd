//! A cluster under random requests while parts of it fail: `tests/cluster`.

use anyhow::Result;
use galley_build::process::{command, run};

use crate::host;
use crate::paths::Checkout;
use crate::program::{build_program, with_galley};
use crate::setup::{self, Purpose};

/// Builds whatever is stale, then does it. A question for help needs no server.
pub fn build_and_test(checkout: &Checkout, args: &[String]) -> Result<()> {
    if !args.iter().any(|arg| arg == "--help" || arg == "-h") {
        setup::ensure(checkout, Purpose::Test)?;
        host::build(checkout)?;
    }
    test(checkout, args)
}

/// Does it with the server that was built: for a minute, unless `args` say something else.
pub fn test(checkout: &Checkout, args: &[String]) -> Result<()> {
    let mut test = command(build_program(checkout, "cluster-test", false)?);
    run(with_galley(test.args(args), checkout))
}
