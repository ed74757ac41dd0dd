//! The person of a request, where the route's guard says that there is one.

use std::ops::Deref;

use super::{FromRequest, Parts};
use crate::caller::{Caller, User};
use crate::error::{Error, Result};

/// The account that is signed in.
///
/// ```
/// use galley_sdk::caller::User;
/// use galley_sdk::prelude::*;
/// use galley_sdk::testing::TestHost;
///
/// fn name(user: User) -> Json<String> {
///     Json(user.name)
/// }
///
/// let route = get("/api/v1/x/demo/name", name).guard(Guard::signed_in());
/// let host = TestHost::new(Plugin::new("demo", "1.0.0").route(route));
/// let ann = host.account("ann@example.com");
/// assert_eq!(host.get("/api/v1/x/demo/name").as_token(&ann).send().json(), "Ann");
/// assert_eq!(host.get("/api/v1/x/demo/name").as_admin().send().status, 401);
/// ```
impl FromRequest for User {
    type Needs = User;

    fn from_request(parts: &mut Parts<'_>) -> Result<User> {
        let user = Caller::from_request(parts)?.user;
        user.ok_or_else(|| Error::internal("the route's guard admits callers without an account"))
    }
}

/// The caller, who administers the instance: the admin bearer, or an account with the role `admin`. Only a request makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Administrator(Caller);

impl FromRequest for Administrator {
    type Needs = Administrator;

    fn from_request(parts: &mut Parts<'_>) -> Result<Administrator> {
        Caller::from_request(parts).map(Administrator)
    }
}

impl Deref for Administrator {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.0
    }
}
