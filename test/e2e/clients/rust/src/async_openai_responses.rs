//! async-openai, Responses: requests and answers pass through its own types.

use crate::async_openai_chat::{client_of, status_and_code};
use crate::place::*;
use async_openai::types::responses::{CreateResponse, OutputItem, Response, ResponseStreamEvent};
use futures::StreamExt;
use serde_json::{Value, json};

fn request(place: &Place, input: Value, more: Value) -> Result<CreateResponse, Fault> {
    let mut body = json!({ "model": place.model, "input": input });
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    serde_json::from_value(body).map_err(told)
}

async fn ask(place: &Place, input: Value, more: Value) -> Result<Response, Fault> {
    client_of(place, &place.key).responses().create(request(place, input, more)?).await.map_err(told)
}

async fn collect(place: &Place, input: Value, more: Value) -> Result<Response, Fault> {
    let asked = request(place, input, more)?;
    let mut stream = client_of(place, &place.key).responses().create_stream(asked).await.map_err(told)?;
    let mut whole = None;
    while let Some(event) = stream.next().await {
        if let ResponseStreamEvent::ResponseCompleted(done) = event.map_err(told)? {
            whole = Some(done.response);
        }
    }
    whole.ok_or_else(|| "the stream ended without response.completed".to_owned())
}

async fn read(is_streamed: bool, place: &Place, input: Value, more: Value) -> Result<Response, Fault> {
    if is_streamed { collect(place, input, more).await } else { ask(place, input, more).await }
}

fn usage(answer: &Response) -> Tokens {
    answer.usage.as_ref().map(|usage| (usage.input_tokens.into(), usage.output_tokens.into()))
}

fn said(answer: &Response) -> String {
    answer.output_text().unwrap_or_default()
}

async fn chat(place: Place, name: &'static str, is_streamed: bool) -> Played {
    let reply = read(is_streamed, &place, json!(question(name)), json!({})).await?;
    same(said(&reply), answer(), "answer")?;
    same(serde_json::to_value(&reply.status).map_err(told)?, json!("completed"), "status")?;
    Ok(usage(&reply))
}

async fn tools(place: Place, name: &'static str, is_streamed: bool) -> Played {
    let more = json!({
        "store": false,
        "include": ["reasoning.encrypted_content"],
        "tools": [
            { "type": "function", "name": "lookup", "parameters": lookup_schema(), "strict": false },
            { "type": "function", "name": "now", "parameters": no_arguments(), "strict": false },
        ],
    });
    let mut items = vec![json!({ "type": "message", "role": "user", "content": question(name) })];
    let first = read(is_streamed, &place, Value::Array(items.clone()), more.clone()).await?;
    let mut calls = vec![];
    let mut results = vec![];
    for item in &first.output {
        if let OutputItem::FunctionCall(call) = item {
            calls.push((call.name.clone(), parsed(&call.arguments)?));
            let output = setting("toolResult");
            results.push(json!({ "type": "function_call_output", "call_id": call.call_id, "output": output }));
        }
        items.push(serde_json::to_value(item).map_err(told)?);
    }
    same(calls, calls_of(name), "calls")?;
    items.extend(results);
    let last = read(is_streamed, &place, Value::Array(items), more).await?;
    same(said(&last), answer(), "answer")?;
    Ok(usage(&last))
}

async fn structured(place: Place) -> Played {
    let format = json!({ "type": "json_schema", "name": "form", "schema": form_schema(), "strict": true });
    let reply = ask(&place, json!(question("structured")), json!({ "text": { "format": format } })).await?;
    same(parsed(&said(&reply))?, form(), "form")?;
    Ok(None)
}

async fn with_part(place: Place, name: &'static str, part: Value, words: &'static str) -> Played {
    let content = json!([{ "type": "input_text", "text": question(name) }, part]);
    let input = json!([{ "type": "message", "role": "user", "content": content }]);
    same(said(&ask(&place, input, json!({})).await?), words.to_owned(), "answer")?;
    Ok(None)
}

async fn reasoning(place: Place, name: &'static str, is_streamed: bool) -> Played {
    let more = json!({ "reasoning": { "effort": "low", "summary": "auto" } });
    let reply = read(is_streamed, &place, json!(question(name)), more).await?;
    same(said(&reply), answer(), "answer")?;
    let written = serde_json::to_value(&reply.output).map_err(told)?;
    let items = written.as_array().cloned().unwrap_or_default();
    let parts = items.iter().filter(|item| item["type"] == "reasoning").flat_map(|item| item["summary"].as_array());
    let thought: String = parts.flatten().filter_map(|part| part["text"].as_str()).collect();
    if place.upstream != "chat" {
        same(thought, setting("thought"), "thought")?;
    }
    Ok(usage(&reply))
}

async fn long_history(place: Place) -> Played {
    let items = history()
        .into_iter()
        .map(|(is_user, text)| {
            json!({ "type": "message", "role": if is_user { "user" } else { "assistant" }, "content": text })
        })
        .collect();
    same(said(&ask(&place, Value::Array(items), json!({})).await?), answer(), "answer")?;
    Ok(None)
}

async fn failing(place: Place, name: &'static str, status: u16, code: &'static str) -> Played {
    let asked = request(&place, json!(question(name)), json!({}))?;
    let error = raised(client_of(&place, &place.key).responses().create(asked).await)?;
    let (seen, word) = status_and_code(error)?;
    same(seen, status, "status")?;
    holds(code.is_empty() || word == code, format!("the code is {word}"))?;
    Ok(None)
}

async fn cut(place: Place) -> Played {
    raised(collect(&place, json!(question("cut")), json!({})).await)?;
    Ok(None)
}

pub fn scenarios(place: &Place) -> Vec<Scenario> {
    let at = || place.clone();
    let unknown = Place { model: NO_MODEL.to_owned(), ..at() };
    let picture = format!("data:image/png;base64,{}", setting("picture"));
    let file = format!("data:application/pdf;base64,{}", setting("pdf"));
    let image_part = json!({ "type": "input_image", "detail": "auto", "image_url": picture });
    let file_part = json!({ "type": "input_file", "filename": "a.pdf", "file_data": file });
    vec![
        ("chat", Box::pin(chat(at(), "chat", false))),
        ("stream", Box::pin(chat(at(), "stream", true))),
        ("tools", Box::pin(tools(at(), "tools", false))),
        ("tools-streamed", Box::pin(tools(at(), "tools-streamed", true))),
        ("parallel-tools", Box::pin(tools(at(), "parallel-tools", false))),
        ("parallel-tools-streamed", Box::pin(tools(at(), "parallel-tools-streamed", true))),
        ("structured", Box::pin(structured(at()))),
        ("picture", Box::pin(with_part(at(), "picture", image_part, "I see 1 picture."))),
        ("file", Box::pin(with_part(at(), "file", file_part, "I read 1 file."))),
        ("reasoning", Box::pin(reasoning(at(), "reasoning", false))),
        ("reasoning-streamed", Box::pin(reasoning(at(), "reasoning-streamed", true))),
        ("long-history", Box::pin(long_history(at()))),
        ("rate-limited", Box::pin(failing(at(), "rate-limited", 429, ""))),
        ("too-long", Box::pin(failing(at(), "too-long", 400, "context_length_exceeded"))),
        ("overloaded", Box::pin(failing(at(), "overloaded", 503, ""))),
        ("cut", Box::pin(cut(at()))),
        ("unknown-model", Box::pin(failing(unknown, "chat", 404, "model_not_found"))),
    ]
}
