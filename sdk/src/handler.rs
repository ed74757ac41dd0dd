//! Which functions can be handlers: synchronous ones with up to six arguments that implement [`FromRequest`] and a result that
//! implements [`IntoResponse`].

use galley_manifest::BodyKind;

use crate::extract::{FromRequest, Parts};
use crate::response::{IntoResponse, Response};

/// A function that answers a request. Implemented for `Fn(A, B, …) -> R` where each argument is a [`FromRequest`] and `R`
/// an [`IntoResponse`]; `Args` only tells the implementations apart.
pub trait Handler<Args>: 'static {
    /// What its arguments need of the route's guard, as a tuple.
    type Needs;

    /// The kind of body its arguments read.
    const BODY: BodyKind;

    /// Takes the arguments from the request and runs the function. When an argument cannot be taken, its error is the answer.
    fn call(&self, parts: &mut Parts<'_>) -> Response;
}

pub(crate) fn erase<A, H: Handler<A>>(handler: H) -> Box<dyn Fn(&mut Parts<'_>) -> Response> {
    Box::new(move |parts| handler.call(parts))
}

/// The kind of body that one of the arguments reads; none when no argument reads it.
const fn body_of(kinds: &[BodyKind]) -> BodyKind {
    let mut found = BodyKind::None;
    let mut at = 0;
    while at < kinds.len() {
        if !matches!(kinds[at], BodyKind::None) {
            assert!(matches!(found, BodyKind::None), "a handler reads the body once");
            found = kinds[at];
        }
        at += 1;
    }
    found
}

macro_rules! handler {
    ($($arg:ident)*) => {
        impl<Func, Answer, $($arg,)*> Handler<($($arg,)*)> for Func
        where
            Func: Fn($($arg),*) -> Answer + 'static,
            Answer: IntoResponse,
            $($arg: FromRequest,)*
        {
            type Needs = ($($arg::Needs,)*);
            const BODY: BodyKind = body_of(&[$($arg::BODY),*]);

            #[allow(non_snake_case, reason = "the arguments are named as their types")]
            fn call(&self, _parts: &mut Parts<'_>) -> Response {
                $(let $arg = match $arg::from_request(_parts) {
                    Ok(value) => value,
                    Err(error) => return error.into_response(),
                };)*
                self($($arg),*).into_response()
            }
        }
    };
}

handler!();
handler!(A);
handler!(A B);
handler!(A B C);
handler!(A B C D);
handler!(A B C D E);
handler!(A B C D E F);
