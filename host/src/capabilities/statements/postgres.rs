//! A plugin's values as the crate of PostgreSQL has them. Nothing is copied.

use galley_postgres::slot;

use super::super::contract::galley::events::types::Event;
use super::super::contract::galley::sql::sql::{Step, Value};

pub fn values(params: Vec<Value>) -> Vec<galley_postgres::Value> {
    params.into_iter().map(value).collect()
}

fn value(value: Value) -> galley_postgres::Value {
    match value {
        Value::Null => galley_postgres::Value::Null,
        Value::Integer(value) => galley_postgres::Value::Integer(value),
        Value::Real(value) => galley_postgres::Value::Real(value),
        Value::Text(value) => galley_postgres::Value::Text(value),
        Value::Blob(value) => galley_postgres::Value::Blob(value),
    }
}

pub fn step(step: Step) -> slot::Step {
    slot::Step {
        sql: step.sql,
        parameters: values(step.params),
        expected_changes: step.expect_changes,
    }
}

pub fn event(event: Event) -> slot::Event {
    slot::Event {
        topic: event.topic,
        data: event.data,
    }
}

pub fn events(stored: Vec<(i64, slot::Event)>) -> Vec<(i64, Event)> {
    let event = |event: slot::Event| Event {
        topic: event.topic,
        data: event.data,
    };
    stored.into_iter().map(|(id, stored)| (id, event(stored))).collect()
}
