//! The plugin's part of the API's description.

#[test]
fn every_route_is_described_and_every_schema_is_there() {
    galley_sdk::testing::check_description(&galley_admin::plugin());
}
