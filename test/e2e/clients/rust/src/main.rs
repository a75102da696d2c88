//! Runs every client over every upstream and prints one line of JSON per cell.

mod async_openai_chat;
mod async_openai_responses;
mod genai_chat;
mod place;

use futures::{StreamExt, stream};
use genai::adapter::AdapterKind;
use place::{Place, SETTINGS, Scenario, setting};
use serde_json::json;

const AT_ONCE: usize = 4;

type Scenarios = fn(&Place) -> Vec<Scenario>;

const CLIENTS: &[(&str, Scenarios)] = &[
    ("async-openai (chat)", async_openai_chat::scenarios),
    ("async-openai (Responses)", async_openai_responses::scenarios),
    ("genai (openai)", |place| genai_chat::scenarios(place, AdapterKind::OpenAI, "/v1/")),
    ("genai (Responses)", |place| genai_chat::scenarios(place, AdapterKind::OpenAIResp, "/v1/")),
    ("genai (anthropic)", |place| genai_chat::scenarios(place, AdapterKind::Anthropic, "/v1/")),
    ("genai (gemini)", |place| genai_chat::scenarios(place, AdapterKind::Gemini, "/v1beta/")),
];

async fn run(client: &'static str, upstream: String, (name, scenario): Scenario) {
    let cell = match scenario.await {
        Ok(usage) => json!({ "isRight": true, "usage": usage }),
        Err(fault) => json!({ "isRight": false, "detail": fault.chars().take(600).collect::<String>() }),
    };
    let mut line = json!({ "client": client, "upstream": upstream, "scenario": name });
    for (member, value) in cell.as_object().expect("an object") {
        line[member] = value.clone();
    }
    println!("{line}");
}

#[tokio::main]
async fn main() {
    let wanted = std::env::var("CLIENT_ONLY").unwrap_or_default();
    let mut cells = Vec::new();
    for (client, scenarios) in CLIENTS {
        for (upstream, model) in SETTINGS["models"].as_object().expect("models") {
            if !format!("{client} over {upstream}").contains(&wanted) {
                continue;
            }
            let model = model.as_str().expect("a model").to_owned();
            let place = Place { url: setting("url"), key: setting("key"), model, upstream: upstream.clone() };
            for scenario in scenarios(&place) {
                cells.push(run(client, upstream.clone(), scenario));
            }
        }
    }
    stream::iter(cells).buffer_unordered(AT_ONCE).collect::<Vec<_>>().await;
}
