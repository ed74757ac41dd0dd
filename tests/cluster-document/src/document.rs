//! The commands of a page: code blocks whose info string says on which machines they run, as ```` ```sh on=a ````.

use anyhow::{Result, bail};

/// What stands for all machines.
const EVERY: &str = "every";

/// A block of commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The line of its first command.
    pub line: usize,
    /// The machines that run it, one after the other.
    pub machines: Vec<String>,
    /// What a person would type there.
    pub commands: String,
}

/// The blocks of a page, in its order. `machines` are the names that may stand in it.
pub fn blocks(page: &str, machines: &[&str]) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let commands: Vec<&str> = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| *line != "```")
            .collect();
        let Some(place) = info.split(' ').find_map(|word| word.strip_prefix("on=")) else {
            continue;
        };
        let machines = match place {
            EVERY => machines.iter().map(|&name| name.to_owned()).collect(),
            name if machines.contains(&name) => vec![name.to_owned()],
            name => bail!("line {}: there is no machine `{name}`", at + 1),
        };
        blocks.push(Block {
            line: at + 2,
            machines,
            commands: commands.join("\n"),
        });
    }
    Ok(blocks)
}

/// What the blocks install from PyPI.
pub fn packages(blocks: &[Block]) -> Vec<String> {
    let lines = blocks.iter().flat_map(|block| block.commands.lines());
    let installed = lines.filter_map(|line| line.split_once("/pip install "));
    let words = installed.flat_map(|(_, rest)| rest.split_whitespace());
    words
        .filter(|word| !word.starts_with('-'))
        .map(|word| word.trim_matches('\'').to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Title\n\n```sh on=every\nfirst\nsecond\n```\n```\nnobody runs this\n```\n```sh on=b\n/opt/x/bin/pip install --quiet 'x[y]==1' z==2\n```\n";

    #[test]
    fn blocks_with_a_place_are_found_in_order() {
        let blocks = blocks(PAGE, &["a", "b"]).unwrap();
        let found: Vec<_> = blocks
            .iter()
            .map(|block| (block.line, block.machines.join(" ")))
            .collect();
        assert_eq!(found, [(4, "a b".to_owned()), (11, "b".to_owned())]);
        assert_eq!(blocks[0].commands, "first\nsecond");
        assert_eq!(packages(&blocks), ["x[y]==1", "z==2"]);
    }

    #[test]
    fn an_unknown_machine_is_an_error() {
        let error = blocks(PAGE, &["a"]).unwrap_err();
        assert!(error.to_string().contains("line 10"), "{error}");
    }
}
