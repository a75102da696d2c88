//! async-openai, chat completions: requests and answers pass through its own types.

use crate::place::*;
use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::types::chat::{CreateChatCompletionRequest, CreateChatCompletionResponse};
use futures::StreamExt;
use serde_json::{Value, json};

pub fn client_of(place: &Place, key: &str) -> Client<OpenAIConfig> {
    Client::with_config(OpenAIConfig::new().with_api_key(key).with_api_base(format!("{}/v1", place.url)))
}

/// Status and code of an answer that is an error.
pub fn status_and_code(error: OpenAIError) -> Result<(u16, String), Fault> {
    match error {
        OpenAIError::ApiError(answer) => {
            Ok((answer.status_code.as_u16(), answer.api_error.code.unwrap_or_default()))
        }
        other => Err(format!("no answer of the API: {other}")),
    }
}

fn request(place: &Place, messages: Value, more: Value) -> Result<CreateChatCompletionRequest, Fault> {
    let mut body = json!({ "model": place.model, "messages": messages });
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    serde_json::from_value(body).map_err(told)
}

/// What is looked at of an answer, whole or collected.
struct Reply {
    text: String,
    calls: Vec<(String, String, String)>,
    reason: Value,
    usage: Tokens,
}

async fn ask(place: &Place, messages: Value, more: Value) -> Result<Reply, Fault> {
    let answer: CreateChatCompletionResponse =
        client_of(place, &place.key).chat().create(request(place, messages, more)?).await.map_err(told)?;
    let choice = &answer.choices[0];
    let message = serde_json::to_value(&choice.message).map_err(told)?;
    let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
    let text_of = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(Reply {
        text: choice.message.content.clone().unwrap_or_default(),
        calls: calls
            .iter()
            .map(|call| {
                let function = &call["function"];
                (text_of(&call["id"]), text_of(&function["name"]), text_of(&function["arguments"]))
            })
            .collect(),
        reason: serde_json::to_value(choice.finish_reason).map_err(told)?,
        usage: answer.usage.map(|usage| (usage.prompt_tokens.into(), usage.completion_tokens.into())),
    })
}

async fn collect(place: &Place, messages: Value, mut more: Value) -> Result<Reply, Fault> {
    more["stream_options"] = json!({ "include_usage": true });
    let asked = request(place, messages, more)?;
    let mut stream = client_of(place, &place.key).chat().create_stream(asked).await.map_err(told)?;
    let mut reply = Reply { text: String::new(), calls: vec![], reason: Value::Null, usage: None };
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(told)?;
        if let Some(usage) = piece.usage {
            reply.usage = Some((usage.prompt_tokens.into(), usage.completion_tokens.into()));
        }
        for choice in piece.choices {
            reply.text += choice.delta.content.as_deref().unwrap_or_default();
            for call in choice.delta.tool_calls.unwrap_or_default() {
                let at = call.index as usize;
                if reply.calls.len() <= at {
                    reply.calls.resize(at + 1, Default::default());
                }
                let whole = &mut reply.calls[at];
                whole.0 += call.id.as_deref().unwrap_or_default();
                let function = call.function.unwrap_or_default();
                whole.1 += function.name.as_deref().unwrap_or_default();
                whole.2 += function.arguments.as_deref().unwrap_or_default();
            }
            if let Some(reason) = choice.finish_reason {
                reply.reason = serde_json::to_value(reason).map_err(told)?;
            }
        }
    }
    Ok(reply)
}

async fn read(is_streamed: bool, place: &Place, messages: Value, more: Value) -> Result<Reply, Fault> {
    if is_streamed { collect(place, messages, more).await } else { ask(place, messages, more).await }
}

fn user(name: &str) -> Value {
    json!([{ "role": "user", "content": question(name) }])
}

async fn chat(place: Place, name: &'static str, is_streamed: bool) -> Played {
    let reply = read(is_streamed, &place, user(name), json!({})).await?;
    same(reply.text, answer(), "answer")?;
    same(reply.reason, json!("stop"), "finish reason")?;
    Ok(reply.usage)
}

async fn tools(place: Place, name: &'static str, is_streamed: bool) -> Played {
    let more = json!({ "tools": [
        { "type": "function", "function": { "name": "lookup", "parameters": lookup_schema() } },
        { "type": "function", "function": { "name": "now", "parameters": no_arguments() } },
    ] });
    let first = read(is_streamed, &place, user(name), more.clone()).await?;
    same(first.reason, json!("tool_calls"), "finish reason")?;
    let mut calls = vec![];
    let mut asked = vec![];
    let mut results = vec![];
    for (id, name, arguments) in first.calls {
        calls.push((name.clone(), parsed(&arguments)?));
        asked.push(json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } }));
        results.push(json!({ "role": "tool", "tool_call_id": id, "content": setting("toolResult") }));
    }
    same(calls, calls_of(name), "calls")?;
    let mut messages = vec![json!({ "role": "user", "content": question(name) })];
    messages.push(json!({ "role": "assistant", "tool_calls": asked }));
    messages.extend(results);
    let last = read(is_streamed, &place, Value::Array(messages), more).await?;
    same(last.text, answer(), "answer")?;
    Ok(last.usage)
}

async fn structured(place: Place) -> Played {
    let format = json!({ "name": "form", "schema": form_schema(), "strict": true });
    let more = json!({ "response_format": { "type": "json_schema", "json_schema": format } });
    let reply = ask(&place, user("structured"), more).await?;
    same(parsed(&reply.text)?, form(), "form")?;
    Ok(None)
}

async fn with_part(place: Place, name: &'static str, part: Value, words: &'static str) -> Played {
    let content = json!([{ "type": "text", "text": question(name) }, part]);
    let reply = ask(&place, json!([{ "role": "user", "content": content }]), json!({})).await?;
    same(reply.text, words.to_owned(), "answer")?;
    Ok(None)
}

async fn long_history(place: Place) -> Played {
    let messages = history()
        .into_iter()
        .map(|(is_user, text)| json!({ "role": if is_user { "user" } else { "assistant" }, "content": text }))
        .collect();
    let reply = ask(&place, Value::Array(messages), json!({})).await?;
    same(reply.text, answer(), "answer")?;
    Ok(None)
}

async fn failing(place: Place, name: &'static str, status: u16, code: &'static str) -> Played {
    let asked = request(&place, user(name), json!({}))?;
    let error = raised(client_of(&place, &place.key).chat().create(asked).await)?;
    let (seen, word) = status_and_code(error)?;
    same(seen, status, "status")?;
    holds(code.is_empty() || word == code, format!("the code is {word}"))?;
    Ok(None)
}

async fn cut(place: Place) -> Played {
    raised(collect(&place, user("cut"), json!({})).await.map(|reply| reply.text))?;
    Ok(None)
}

async fn unauthorized(place: Place) -> Played {
    let error = raised(client_of(&place, UNKNOWN_KEY).models().list().await)?;
    same(status_and_code(error)?.0, 401, "status")?;
    Ok(None)
}

async fn models(place: Place) -> Played {
    let listed = client_of(&place, &place.key).models().list().await.map_err(told)?;
    holds(listed.data.iter().any(|one| one.id == place.model), "the model is not listed")?;
    Ok(None)
}

pub fn scenarios(place: &Place) -> Vec<Scenario> {
    let at = || place.clone();
    let unknown = Place { model: NO_MODEL.to_owned(), ..at() };
    let picture = format!("data:image/png;base64,{}", setting("picture"));
    let file = format!("data:application/pdf;base64,{}", setting("pdf"));
    let image_part = json!({ "type": "image_url", "image_url": { "url": picture } });
    let file_part = json!({ "type": "file", "file": { "filename": "a.pdf", "file_data": file } });
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
        ("long-history", Box::pin(long_history(at()))),
        ("rate-limited", Box::pin(failing(at(), "rate-limited", 429, ""))),
        ("too-long", Box::pin(failing(at(), "too-long", 400, "context_length_exceeded"))),
        ("overloaded", Box::pin(failing(at(), "overloaded", 503, ""))),
        ("cut", Box::pin(cut(at()))),
        ("unauthorized", Box::pin(unauthorized(at()))),
        ("unknown-model", Box::pin(failing(unknown, "chat", 404, "model_not_found"))),
        ("models", Box::pin(models(at()))),
    ]
}
