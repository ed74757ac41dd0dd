//! The arguments, as they are typed.

use std::path::PathBuf;

use clap::Parser;
use url::Url;

/// What `--help` says after the options.
const AFTER: &str = "\
The Editor prints `Editor listening on http://127.0.0.1:PORT` to standard output when it is ready; open exactly that
address. Everything else is said on standard error. Ctrl-C ends it, and the dev server with it.

Exit codes:
  0  ended by a signal, or --help, --version, or a --doctor that found nothing in the way
  1  it could not start, or not go on: the path, git, the configuration, a port, the dev server, missing bundles
  2  the arguments are wrong
  3  the repository is not supported: no package.json, a broken one, neither React nor Vue in it, or another Vue than 3

Files, all of them optional:
  .tool/config.json  the linked project, and settings of chat, interface and backups  (in PATH)
  tool.config.json   readRoots, designSystems, lanes, hosts                           (in PATH)
                     webFetch, webSearch, design_tool                                 (in the git root)
  .mcp.json          MCP servers                                                      (in the git root)

Variables: EDITOR_CANVAS, EDITOR_CODE_VIEW, EDITOR_NOTES, EDITOR_VSCODE_LINK switch a part on when exactly 1.
EDITOR_PROVIDER, EDITOR_MODEL and <PROVIDER>_API_KEY choose a model; without a key nobody is asked anything.
`galley-editor PATH --doctor` lists every setting with its value, and what is wrong with it.

Examples:
  galley-editor .
  galley-editor apps/web --port 4500
  galley-editor . --attach http://127.0.0.1:5173
  galley-editor . --doctor
  galley-editor edit . --help    edits from scripts and CI, without a browser";

/// Opens a prototype's repository (React, or Vue 3), runs it beside an interface in the browser, and changes its source
/// exactly where you point.
#[derive(Debug, Clone, Parser)]
#[command(name = "galley-editor", version, after_help = AFTER, max_term_width = 120)]
pub struct Arguments {
    /// The prototype's folder: the one that holds its package.json
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    /// The interface's port; 0 takes any free one [default: 4400, or the next free one]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,

    /// The port of the dev server that the Editor starts [default: a free one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), conflicts_with = "attach")]
    pub host_port: Option<u16>,

    /// Uses a dev server that is running already instead of starting one
    #[arg(long, value_name = "URL", value_parser = web_address)]
    pub attach: Option<Url>,

    /// The folder of the built interface [default: editor-ui/ beside the program]
    #[arg(long, value_name = "DIR")]
    pub ui: Option<PathBuf>,

    /// The script that is added to the prototype [default: dist/bridge-bundle.js beside the program]
    #[arg(long, value_name = "FILE")]
    pub bridge: Option<PathBuf>,

    /// Does not open the browser
    #[arg(long)]
    pub no_open: bool,

    /// Says what it found and would do, and starts nothing
    #[arg(long)]
    pub doctor: bool,

    /// With --doctor: says it as JSON
    #[arg(long, requires = "doctor")]
    pub json: bool,
}

fn web_address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("{error}; write it as http://127.0.0.1:5173"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("it must begin with http:// or https://".into());
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse(arguments: &[&str]) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from([&["galley-editor"], arguments].concat())
    }

    #[test]
    fn the_arguments_fit_together() {
        Arguments::command().debug_assert();
        assert!(parse(&["."]).is_ok());
        assert!(parse(&[]).is_err());
        assert!(parse(&[".", "--json"]).is_err());
        assert!(parse(&[".", "--attach", "http://localhost:3000", "--host-port", "5000"]).is_err());
        assert!(parse(&[".", "--host-port", "0"]).is_err());
        for address in ["localhost:3000", "5173", "ftp://x", "/x", "http://"] {
            assert!(parse(&[".", "--attach", address]).is_err(), "{address}");
        }
    }

    #[test]
    fn lines_of_the_help_fit_a_wide_terminal() {
        assert!(AFTER.lines().all(|line| line.chars().count() <= 120));
    }
}
