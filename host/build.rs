//! What is written from other folders of the project before the server is compiled.

#[path = "build/carried.rs"]
mod carried;
#[path = "build/contract.rs"]
mod contract;

fn main() -> anyhow::Result<()> {
    contract::write()?;
    carried::write()?;
    Ok(())
}
