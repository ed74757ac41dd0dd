//! What other slots may learn of deployments.

use super::*;

impl Studio {
    /// The data of the events of a topic that were published since the last look.
    pub(super) fn told(&self, topic: &str) -> Vec<Value> {
        let published = self.host.published().into_iter();
        let of_topic = published.filter(|event| event.topic == topic);
        of_topic
            .map(|event| serde_json::from_str(&event.data).unwrap())
            .collect()
    }
}

#[test]
fn what_is_live_is_told() {
    let studio = studio();
    let first = studio.deployed(&[INDEX]);
    let told =
        |id: &str, again: bool| json!({ "projectId": "p1", "deploymentId": id, "source": "upload", "again": again });
    assert_eq!(studio.told("deployments/live"), [told(&first, false)]);
    let second = studio.deployed(&[INDEX]);
    assert_eq!(studio.told("deployments/live"), [told(&second, false)]);
    let activate = format!("/api/v1/deployments/{first}/activate");
    assert_eq!(studio.host.post(&activate).as_token(&studio.ed).send().status, 200);
    assert_eq!(studio.told("deployments/live"), [told(&first, true)]);
    assert_eq!(studio.upload(&[]).send().status, 400);
    assert!(
        studio.told("deployments/live").is_empty(),
        "nothing is live that was refused"
    );
}
