//! Running the blocks of the page, each on its machines.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::document::{self, Block, Names};
use crate::machine::{Machine, Machines};
use crate::{CLUSTER, OTHERS};

/// The page, and which of its blocks ran.
#[derive(Debug)]
pub struct Page {
    path: PathBuf,
    text: String,
    blocks: Vec<Block>,
    ran: BTreeSet<usize>,
}

impl Page {
    /// Reads it.
    pub fn read(path: &Path) -> Result<Page> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let names = Names {
            cluster: &CLUSTER.map(|(name, _)| name),
            others: &OTHERS.map(|(name, _)| name),
        };
        Ok(Page {
            path: path.to_owned(),
            blocks: document::blocks(&text, names)?,
            text,
            ran: BTreeSet::new(),
        })
    }

    /// Its blocks.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Makes sure that it says this.
    pub fn says(&self, words: &str) -> Result<()> {
        ensure!(
            self.text.contains(words),
            "{} does not say `{words}`",
            self.path.display()
        );
        Ok(())
    }

    /// Runs the blocks of a chapter.
    pub fn chapter(&mut self, chapter: &str, machines: &Machines) -> Result<()> {
        self.run(machines, |block| block.chapter == chapter)
    }

    /// Runs the blocks of a section.
    pub fn section(&mut self, section: &str, machines: &Machines) -> Result<()> {
        self.run(machines, |block| block.section == section)
    }

    /// Makes sure that each block ran.
    pub fn was_run(&self) -> Result<()> {
        let missed = self.blocks.iter().find(|block| !self.ran.contains(&block.line));
        match missed {
            Some(block) => anyhow::bail!("{}, line {}: nothing runs this block", self.path.display(), block.line),
            None => Ok(()),
        }
    }

    fn run(&mut self, machines: &Machines, is_meant: impl Fn(&Block) -> bool) -> Result<()> {
        let blocks: Vec<Block> = self.blocks.iter().filter(|block| is_meant(block)).cloned().collect();
        ensure!(!blocks.is_empty(), "{} has no such commands", self.path.display());
        for block in &blocks {
            self.ran.insert(block.line);
            for name in &block.machines {
                let machine = machines.named(name)?;
                for section in &block.after {
                    self.again(section, machine)?;
                }
                self.run_at(block, machine)?;
            }
        }
        Ok(())
    }

    /// Runs what a section has for every machine on one more.
    fn again(&self, section: &str, machine: &Machine) -> Result<()> {
        let mut blocks = self
            .blocks
            .iter()
            .filter(|block| block.section == section && block.is_everybodys)
            .peekable();
        ensure!(
            blocks.peek().is_some(),
            "there is no section `{section}` for every machine"
        );
        blocks.try_for_each(|block| self.run_at(block, machine))
    }

    fn run_at(&self, block: &Block, machine: &Machine) -> Result<()> {
        eprintln!("line {} on {}", block.line, machine.name);
        let ran = machine.run(&block.commands);
        ran.with_context(|| format!("{}, line {}", self.path.display(), block.line))
    }
}
