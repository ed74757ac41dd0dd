//! Acknowledged writes that a kill -9 lost.

use anyhow::Result;

use super::Row;
use crate::kills::while_commenting;

pub(super) fn measure() -> Result<Vec<Row>> {
    let kills = std::env::var("GALLEY_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(200);
    let outcome = while_commenting(kills);
    Ok(vec![Row {
        what: format!("acknowledged writes lost over {kills} kill -9"),
        goal: "0",
        result: outcome.lost.len().to_string(),
        detail: format!(
            "{} acknowledged, {} doubled",
            outcome.acknowledged,
            outcome.doubled.len()
        ),
        reached: Some(outcome.lost.is_empty() && outcome.doubled.is_empty()),
    }])
}
