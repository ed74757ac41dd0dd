//! Moves a program's debug information into a file of its own. What stays in the program names functions in backtraces;
//! the rest is several times as large as the program.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use galley_build::process::{command, read, run};

/// What is taken out of a program: debug information, and the symbols of tables and constants. Those of functions stay.
const STRIPPED: [&str; 4] = [
    "--strip-debug",
    "--wildcard",
    "--strip-symbol=GCC_except_table*",
    "--strip-symbol=anon.*",
];

/// Moves the debug information of `program` to `folder/PROGRAM.debug`, where debuggers and backtraces look when that
/// file is put into `.debug/` beside the program.
pub fn split(program: &Path, folder: &Path) -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Ok(()); // Elsewhere the compiler leaves debug information outside of the program anyway.
    }
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let debug = folder.join(format!("{name}.debug"));
    let context = || format!("the debug information of {name} could not be split off");
    fs::create_dir_all(folder).with_context(context)?;
    let tool = objcopy()?;
    let objcopy = |arg: &str, files: &[&Path]| run(command(tool).arg(arg).args(files)).with_context(context);
    objcopy("--only-keep-debug", &[program, &debug])?;
    run(command(tool).args(STRIPPED).arg(program)).with_context(context)?;
    // The link holds the file's name and checksum: written last, and again after each build.
    objcopy(&format!("--add-gnu-debuglink={}", debug.display()), &[program])
}

/// GNU's tool, which comes with a C compiler's binutils, or LLVM's.
fn objcopy() -> Result<&'static str> {
    ["objcopy", "llvm-objcopy"]
        .into_iter()
        .find(|tool| read(command(tool).arg("--version")).is_ok())
        .context("a release needs objcopy, which comes with a C compiler: install binutils")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_program_runs_without_its_debug_information_and_knows_where_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        let before = program.metadata().unwrap().len();
        let apart = folder.path().join("apart");
        split(&program, &apart).unwrap();
        let (after, debug) = (program.metadata().unwrap().len(), apart.join("program.debug"));
        assert!(after < before, "{before} bytes before, {after} after");
        assert!(debug.metadata().unwrap().len() > 0);
        run(command(&program).args(["--list", "--format", "terse", "no_such_test"])).unwrap();
        let bytes = fs::read(&program).unwrap();
        assert!(
            bytes.windows(13).any(|window| window == b"program.debug"),
            "no link to it"
        );
    }
}
