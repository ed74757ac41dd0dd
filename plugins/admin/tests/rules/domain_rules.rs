//! Domain rules.

use super::*;

#[test]
fn a_rule_is_made_changed_and_removed() {
    let office = office();
    let path = format!("{RULES}/example.com");
    let answer = office.put(&path, json!({ "role": "viewer" }));
    let rule = json!({ "domain": "example.com", "role": "viewer" });
    assert_eq!((answer.status, answer.json()), (201, rule));
    let answer = office.put(&path, json!({ "role": "editor" }));
    let rule = json!({ "domain": "example.com", "role": "editor" });
    assert_eq!((answer.status, answer.json()), (200, rule.clone()));
    office.put(&format!("{RULES}/a.example.com"), json!({ "role": "viewer" }));
    let list = office.get(RULES).json();
    assert_eq!(list["domainRules"][0]["domain"], "a.example.com", "by domain");
    assert_eq!(list["domainRules"][1], rule);
    assert_eq!(office.delete(&path).status, 204);
    refused(office.delete(&path), 404, "Domain rule not found");
}

#[test]
fn a_domain_is_lower_case_without_at_and_with_a_dot() {
    let office = office();
    for domain in ["Example.com", "ann%40example.com", "com", "a%20b.com"] {
        let answer = office.put(&format!("{RULES}/{domain}"), json!({ "role": "viewer" }));
        let message = "`domain` must be lower-case, hold a `.` and no `@`, such as example.com";
        refused(answer, 400, message);
    }
    refused(
        office.put(&format!("{RULES}/a.b"), json!({})),
        400,
        "`role` is required",
    );
    assert_eq!(office.get(RULES).json(), json!({ "domainRules": [] }));
}
