//! `galley:administration/instance-settings`, over the settings of the world.

use serde_json::json;

use super::{administer, record};
use crate::administration::instance_settings::{Change, Settings};
use crate::error::Problem;
use crate::testing::world::World;

fn now(world: &World) -> Settings {
    Settings {
        allow_public_links: world.flag("allowPublicLinks"),
        allow_anonymous_comments: world.flag("allowAnonymousComments"),
    }
}

pub(crate) fn get() -> Result<Settings, Problem> {
    administer(|world| Ok(now(world)))
}

pub(crate) fn update(change: Change) -> Result<Settings, Problem> {
    administer(|world| {
        let wanted = [
            ("allowPublicLinks", change.allow_public_links),
            ("allowAnonymousComments", change.allow_anonymous_comments),
        ];
        for (key, value) in wanted.into_iter().filter_map(|(key, value)| Some((key, value?))) {
            if world.flag(key) != value {
                world.settings.insert(key.into(), value.into());
                record(world, "settings-changed", "settings", json!({ key: value }));
            }
        }
        Ok(now(world))
    })
}
