//! Where a client calls, what it asks, and how it is judged.

use serde_json::{Value, json};
use std::fmt::{Debug, Display};
use std::future::Future;
use std::pin::Pin;
use std::sync::LazyLock;

/// What a program is told: where to call, and what the vendors answer.
pub static SETTINGS: LazyLock<Value> = LazyLock::new(|| {
    let text = std::env::var("CLIENT_SETTINGS").expect("CLIENT_SETTINGS is set");
    serde_json::from_str(&text).expect("CLIENT_SETTINGS is JSON")
});

pub const CAP: u32 = 9_000;
pub const NO_MODEL: &str = "no-such-model";
pub const UNKNOWN_KEY: &str = "sk-nothing";

/// One upstream as a client sees it.
#[derive(Clone)]
pub struct Place {
    pub url: String,
    pub key: String,
    pub model: String,
    pub upstream: String,
}

/// Input and output tokens, where a scenario looks at them.
pub type Tokens = Option<(u64, u64)>;
/// What went wrong, in words.
pub type Fault = String;
pub type Played = Result<Tokens, Fault>;
pub type Scenario = (&'static str, Pin<Box<dyn Future<Output = Played> + Send>>);

pub fn setting(name: &str) -> String {
    SETTINGS[name].as_str().expect("a setting that is a text").to_owned()
}

pub fn answer() -> String {
    setting("answer")
}

pub fn question(name: &str) -> String {
    format!("[{name}] How is the weather in Zürich?")
}

pub fn lookup_schema() -> Value {
    json!({
        "type": "object",
        "properties": { "city": { "type": "string", "description": "Name of the city" }, "days": { "type": "integer" } },
        "required": ["city"],
    })
}

pub fn no_arguments() -> Value {
    json!({ "type": "object", "properties": {} })
}

pub fn form_schema() -> Value {
    json!({
        "type": "object",
        "properties": { "city": { "type": "string" }, "degrees": { "type": "integer" } },
        "required": ["city", "degrees"],
        "additionalProperties": false,
    })
}

pub fn form() -> Value {
    json!({ "city": "Zürich", "degrees": 21 })
}

/// Calls that the vendor asks for in a scenario: name and arguments.
pub fn calls_of(name: &str) -> Vec<(String, Value)> {
    let mut calls = vec![("lookup".to_owned(), json!({ "city": "Zürich", "days": 3 }))];
    if name.starts_with("parallel") {
        calls.push(("now".to_owned(), json!({})));
    }
    calls
}

/// A long conversation, its last question open: whether the user speaks, and what is said.
pub fn history() -> Vec<(bool, String)> {
    let length = SETTINGS["longHistory"].as_u64().expect("a length");
    let mut turns = Vec::new();
    for at in 0..length {
        let asked = if at == 0 { question("long-history") } else { format!("Question {at}?") };
        turns.push((true, asked));
        turns.push((false, format!("Answer {at}.")));
    }
    turns.push((true, "And now?".to_owned()));
    turns
}

pub fn same<T: PartialEq + Debug>(actual: T, wanted: T, what: &str) -> Result<(), Fault> {
    if actual == wanted { Ok(()) } else { Err(format!("{what}: {actual:?} instead of {wanted:?}")) }
}

pub fn holds(is: bool, what: impl Into<Fault>) -> Result<(), Fault> {
    if is { Ok(()) } else { Err(what.into()) }
}

pub fn parsed(text: &str) -> Result<Value, Fault> {
    serde_json::from_str(text).map_err(|error| format!("no JSON ({error}): {text}"))
}

/// The words of an error.
pub fn told(error: impl Display) -> Fault {
    error.to_string()
}

/// Ends a scenario whose call is to fail.
pub fn raised<T: Debug, E>(result: Result<T, E>) -> Result<E, Fault> {
    match result {
        Ok(answer) => Err(format!("no error was returned, but {answer:?}")),
        Err(error) => Ok(error),
    }
}
