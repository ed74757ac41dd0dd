//! What other slots may learn of deployments.

use super::*;

#[test]
fn what_is_live_is_told() {
    let studio = studio();
    let first = studio.deployed(&[INDEX]);
    let told =
        |id: &str, again: bool| json!({ "projectId": "p1", "deploymentId": id, "source": "upload", "again": again });
    assert_eq!(studio.host.published_to("deployments/live"), [told(&first, false)]);
    let second = studio.deployed(&[INDEX]);
    assert_eq!(studio.host.published_to("deployments/live"), [told(&second, false)]);
    let activate = format!("/api/v1/deployments/{first}/activate");
    assert_eq!(studio.host.post(&activate).as_token(&studio.ed).send().status, 200);
    assert_eq!(studio.host.published_to("deployments/live"), [told(&first, true)]);
    assert_eq!(studio.upload(&[]).send().status, 400);
    assert!(
        studio.host.published_to("deployments/live").is_empty(),
        "nothing is live that was refused"
    );
}
