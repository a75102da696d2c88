//! genai over its own four APIs.

use crate::place::*;
use futures::StreamExt;
use genai::adapter::AdapterKind;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatResponseFormat, ChatStreamEvent, ContentPart, JsonSpec,
    MessageContent, Tool, ToolResponse, Usage,
};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ModelSpec, ServiceTarget};

#[derive(Clone)]
struct Target {
    place: Place,
    kind: AdapterKind,
    path: &'static str,
}

/// What is looked at of an answer, whole or collected.
struct Reply {
    content: MessageContent,
    reasoning: Option<String>,
    usage: Option<Usage>,
}

impl Reply {
    fn text(&self) -> String {
        self.content.texts().concat()
    }

    fn tokens(&self) -> Tokens {
        let usage = self.usage.as_ref()?;
        let count = |value: Option<i32>| value.and_then(|tokens| u64::try_from(tokens).ok());
        Some((count(usage.prompt_tokens)?, count(usage.completion_tokens)?))
    }

    /// The answer as it goes back in the next request.
    fn message(self) -> ChatMessage {
        let has_reasoning = self.content.contains_reasoning_content();
        let message = ChatMessage::assistant(self.content);
        if has_reasoning { message } else { message.with_reasoning_content(self.reasoning) }
    }
}

impl Target {
    fn spec(&self) -> ModelSpec {
        ModelSpec::Target(ServiceTarget {
            endpoint: Endpoint::from_owned(format!("{}{}", self.place.url, self.path)),
            auth: AuthData::from_single(self.place.key.clone()),
            model: ModelIden::new(self.kind, self.place.model.clone()),
        })
    }

    fn options(&self) -> ChatOptions {
        ChatOptions::default()
            .with_max_tokens(CAP)
            .with_capture_usage(true)
            .with_capture_content(true)
            .with_capture_reasoning_content(true)
            .with_capture_tool_calls(true)
    }

    async fn ask(&self, request: ChatRequest, options: ChatOptions) -> Result<Reply, Fault> {
        let client = Client::new().map_err(told)?;
        let answer = client.exec_chat(self.spec(), request, Some(&options)).await.map_err(told)?;
        Ok(Reply { content: answer.content, reasoning: answer.reasoning_content, usage: Some(answer.usage) })
    }

    async fn collect(&self, request: ChatRequest) -> Result<Reply, Fault> {
        let client = Client::new().map_err(told)?;
        let options = self.options();
        let mut stream = client.exec_chat_stream(self.spec(), request, Some(&options)).await.map_err(told)?.stream;
        let mut end = None;
        while let Some(event) = stream.next().await {
            if let ChatStreamEvent::End(last) = event.map_err(told)? {
                end = Some(last);
            }
        }
        let end = end.ok_or("the stream has no end")?;
        Ok(Reply {
            content: end.captured_content.unwrap_or_default(),
            reasoning: end.captured_reasoning_content,
            usage: end.captured_usage,
        })
    }

    async fn read(&self, is_streamed: bool, request: ChatRequest) -> Result<Reply, Fault> {
        if is_streamed { self.collect(request).await } else { self.ask(request, self.options()).await }
    }
}

fn asking(name: &str) -> ChatRequest {
    ChatRequest::from_user(question(name))
}

async fn chat(target: Target, name: &'static str, is_streamed: bool) -> Played {
    let reply = target.read(is_streamed, asking(name)).await?;
    same(reply.text(), answer(), "answer")?;
    Ok(reply.tokens())
}

async fn tools(target: Target, name: &'static str, is_streamed: bool) -> Played {
    let tools = [
        Tool::new("lookup").with_description("Weather").with_schema(lookup_schema()),
        Tool::new("now").with_description("Time").with_schema(no_arguments()),
    ];
    let request = asking(name).with_tools(tools);
    let first = target.read(is_streamed, request.clone()).await?;
    let mut calls = vec![];
    let mut results = vec![];
    for call in first.content.tool_calls() {
        calls.push((call.fn_name.clone(), call.fn_arguments.clone()));
        results.push(ChatMessage::from(ToolResponse::from_tool_call(call, setting("toolResult"))));
    }
    same(calls, calls_of(name), "calls")?;
    let request = request.append_message(first.message()).append_messages(results);
    let last = target.read(is_streamed, request).await?;
    same(last.text(), answer(), "answer")?;
    Ok(last.tokens())
}

async fn structured(target: Target) -> Played {
    let format = ChatResponseFormat::JsonSpec(JsonSpec::new("form", form_schema()));
    let reply = target.ask(asking("structured"), target.options().with_response_format(format)).await?;
    same(parsed(&reply.text())?, form(), "form")?;
    Ok(None)
}

async fn with_bytes(target: Target, name: &'static str, part: ContentPart, words: &'static str) -> Played {
    let content = MessageContent::from_parts(vec![ContentPart::from_text(question(name)), part]);
    let reply = target.read(false, ChatRequest::new(vec![ChatMessage::user(content)])).await?;
    same(reply.text(), words.to_owned(), "answer")?;
    Ok(None)
}

async fn long_history(target: Target) -> Played {
    let messages = history()
        .into_iter()
        .map(|(is_user, text)| if is_user { ChatMessage::user(text) } else { ChatMessage::assistant(text) })
        .collect();
    let reply = target.read(false, ChatRequest::new(messages)).await?;
    same(reply.text(), answer(), "answer")?;
    Ok(None)
}

async fn failing(target: Target, name: &'static str, status: &'static str) -> Played {
    let error = raised(target.read(false, asking(name)).await.map(|reply| reply.text()))?;
    holds(error.contains(status), error)?;
    Ok(None)
}

async fn cut(target: Target) -> Played {
    raised(target.collect(asking("cut")).await.map(|reply| reply.text()))?;
    Ok(None)
}

pub fn scenarios(place: &Place, kind: AdapterKind, path: &'static str) -> Vec<Scenario> {
    let at = || Target { place: place.clone(), kind, path };
    let unknown = Target { place: Place { model: NO_MODEL.to_owned(), ..place.clone() }, ..at() };
    let picture = ContentPart::from_binary_base64("image/png", setting("picture"), None);
    let file = ContentPart::from_binary_base64("application/pdf", setting("pdf"), Some("a.pdf".to_owned()));
    vec![
        ("chat", Box::pin(chat(at(), "chat", false))),
        ("stream", Box::pin(chat(at(), "stream", true))),
        ("tools", Box::pin(tools(at(), "tools", false))),
        ("tools-streamed", Box::pin(tools(at(), "tools-streamed", true))),
        ("parallel-tools", Box::pin(tools(at(), "parallel-tools", false))),
        ("parallel-tools-streamed", Box::pin(tools(at(), "parallel-tools-streamed", true))),
        ("structured", Box::pin(structured(at()))),
        ("picture", Box::pin(with_bytes(at(), "picture", picture, "I see 1 picture."))),
        ("file", Box::pin(with_bytes(at(), "file", file, "I read 1 file."))),
        ("long-history", Box::pin(long_history(at()))),
        ("rate-limited", Box::pin(failing(at(), "rate-limited", "429"))),
        ("unknown-model", Box::pin(failing(unknown, "chat", "404"))),
        ("cut", Box::pin(cut(at()))),
    ]
}
