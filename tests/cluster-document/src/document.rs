//! The commands of a page: code blocks whose info string says on which machines they run, as ```` ```sh on=a ````. A block that
//! says `after=etcd,galley` runs on a machine that gets the blocks of those sections first, those for every machine.

use anyhow::{Result, bail};

/// What stands for all machines of the cluster.
const EVERY: &str = "every";

/// A block of commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The line of its first command.
    pub line: usize,
    /// The chapter it stands in, as links name it.
    pub chapter: String,
    /// The section of that chapter, likewise; empty before the first one.
    pub section: String,
    /// The machines that run it, one after the other.
    pub machines: Vec<String>,
    /// Whether it said that all machines of the cluster do.
    pub is_everybodys: bool,
    /// The sections whose blocks for every machine come before.
    pub after: Vec<String>,
    /// What a person would type there.
    pub commands: String,
}

/// Which names may stand in a page.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// The machines of the cluster.
    pub cluster: &'a [&'a str],
    /// Others.
    pub others: &'a [&'a str],
}

/// The blocks of a page, in its order.
pub fn blocks(page: &str, names: Names<'_>) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    let (mut chapter, mut section) = (String::new(), String::new());
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            (chapter, section) = (anchor(title), String::new());
        } else if let Some(title) = line.strip_prefix("### ") {
            section = anchor(title);
        }
        let Some(info) = line.strip_prefix("```") else { continue };
        let commands: Vec<&str> = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| *line != "```")
            .collect();
        let said = |key: &str| {
            info.split(' ')
                .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
        };
        let Some(place) = said("on") else { continue };
        let machines = match place {
            EVERY => names.cluster.iter().map(|&name| name.to_owned()).collect(),
            name if names.cluster.contains(&name) || names.others.contains(&name) => vec![name.to_owned()],
            name => bail!("line {}: there is no machine `{name}`", at + 1),
        };
        let after = said("after").into_iter().flat_map(|sections| sections.split(','));
        blocks.push(Block {
            line: at + 2,
            chapter: chapter.clone(),
            section: section.clone(),
            machines,
            is_everybodys: place == EVERY,
            after: after.map(str::to_owned).collect(),
            commands: commands.join("\n"),
        });
    }
    Ok(blocks)
}

/// What a link to a title ends with.
fn anchor(title: &str) -> String {
    let title = title.to_lowercase().replace(' ', "-");
    title
        .chars()
        .filter(|letter| letter.is_alphanumeric() || *letter == '-')
        .collect()
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

    const PAGE: &str = "# Title\n## Two machines\n\n```sh on=every\nfirst\n## second\n```\n```\nnobody runs this\n```\n### Look, here\n\
                        ```sh on=b after=look-here,galley\n/opt/x/bin/pip install --quiet 'x[y]==1' z==2\n```\n";

    #[test]
    fn blocks_with_a_place_are_found_in_order() {
        let names = Names {
            cluster: &["a"],
            others: &["b"],
        };
        let blocks = blocks(PAGE, names).unwrap();
        let found: Vec<_> = blocks
            .iter()
            .map(|block| {
                (
                    block.line,
                    block.machines.join(" "),
                    &*block.chapter,
                    &*block.section,
                    block.after.join(" "),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (5, "a".to_owned(), "two-machines", "", String::new()),
                (
                    13,
                    "b".to_owned(),
                    "two-machines",
                    "look-here",
                    "look-here galley".to_owned()
                )
            ]
        );
        assert_eq!(blocks[0].commands, "first\n## second");
        assert_eq!(packages(&blocks), ["x[y]==1", "z==2"]);
    }

    #[test]
    fn an_unknown_machine_is_an_error() {
        let names = Names {
            cluster: &["a"],
            others: &[],
        };
        let error = blocks(PAGE, names).unwrap_err();
        assert!(error.to_string().contains("line 12"), "{error}");
    }
}
