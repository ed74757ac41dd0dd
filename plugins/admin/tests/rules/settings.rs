//! Settings.

use super::*;

#[test]
fn the_settings_have_their_shape() {
    let email = json!({
        "configured": false, "source": "none", "host": null, "port": null, "user": null, "from": null,
        "hasPassword": false,
    });
    let expected = json!({
        "allowPublicLinks": true, "allowAnonymousComments": true, "emailFrom": null, "email": email,
    });
    assert_eq!(office().get(SETTINGS).json(), expected);
}

#[test]
fn what_is_not_sent_stays() {
    let office = office();
    let answer = office.patch(
        SETTINGS,
        json!({ "allowPublicLinks": false, "emailFrom": "x@example.com" }),
    );
    let settings = answer.json();
    assert_eq!(answer.status, 200);
    assert_eq!(
        (&settings["allowPublicLinks"], &settings["allowAnonymousComments"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(settings["emailFrom"], Value::Null);
    assert_eq!(office.patch(SETTINGS, json!({})).json(), settings);
    assert_eq!(office.get(SETTINGS).json(), settings);
}

#[test]
fn a_setting_is_true_or_false() {
    let office = office();
    for value in [json!("true"), json!(1), json!([])] {
        for key in ["allowPublicLinks", "allowAnonymousComments"] {
            let answer = office.patch(SETTINGS, json!({ key: value }));
            assert_eq!(answer.status, 400, "{value}");
            assert!(answer.error().contains(key), "{}", answer.error());
        }
    }
    let answer = office.patch(
        SETTINGS,
        json!({ "allowPublicLinks": false, "allowAnonymousComments": "no" }),
    );
    assert_eq!(answer.status, 400);
    assert_eq!(office.get(SETTINGS).json()["allowPublicLinks"], true, "all or nothing");
}
