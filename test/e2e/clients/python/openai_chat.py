"""The official OpenAI package, chat completions."""

import json

import openai

from place import (
    ANSWER, CAP, FORM, FORM_SCHEMA, LOOKUP_SCHEMA, NO_ARGUMENTS, PDF, PICTURE, SOURCE, THOUGHT, TOOL_RESULT,
    calls_of, history, question, raised, same, true,
)

TOOLS = [
    {"type": "function", "function": {"name": "lookup", "description": "Weather", "parameters": LOOKUP_SCHEMA}},
    {"type": "function", "function": {"name": "now", "description": "Time", "parameters": NO_ARGUMENTS}},
]


def scenarios(place):
    client = openai.OpenAI(api_key=place.key, base_url=f"{place.url}/v1", max_retries=0)

    def ask(name, content=None, **more):
        messages = more.pop("messages", None) or [{"role": "user", "content": content or question(name)}]
        return client.chat.completions.create(model=place.model, messages=messages, **more)

    def collect(name, **more):
        """Reads with the package's own accumulator, which refuses pieces that do not fit together."""
        messages = more.pop("messages", None) or [{"role": "user", "content": question(name)}]
        with client.chat.completions.stream(
            model=place.model, messages=messages, stream_options={"include_usage": True}, **more
        ) as stream:
            for _ in stream:
                pass
            return stream.get_final_completion()

    def usage_of(answer):
        return [answer.usage.prompt_tokens, answer.usage.completion_tokens]

    def chat():
        answer = ask("chat")
        same(answer.choices[0].message.content, ANSWER)
        same(answer.choices[0].finish_reason, "stop")
        true(isinstance(answer.created, int), "created is a whole number")
        return usage_of(answer)

    def stream():
        answer = collect("stream")
        same(answer.choices[0].message.content, ANSWER)
        same(answer.choices[0].finish_reason, "stop")
        return usage_of(answer)

    def tools(name, read):
        messages = [{"role": "user", "content": question(name)}]
        first = read(name, messages=messages, tools=TOOLS)
        message = first.choices[0].message
        same(first.choices[0].finish_reason, "tool_calls")
        asked = [(call.function.name, json.loads(call.function.arguments)) for call in message.tool_calls]
        same(asked, calls_of(name), "calls")
        messages.append(message.model_dump(exclude_none=True, exclude={"tool_calls": {"__all__": {"index"}}}))
        for call in message.tool_calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": TOOL_RESULT})
        last = read(name, messages=messages, tools=TOOLS)
        same(last.choices[0].message.content, ANSWER)
        return usage_of(last)

    def structured():
        form = {"name": "form", "schema": FORM_SCHEMA, "strict": True}
        answer = ask("structured", response_format={"type": "json_schema", "json_schema": form})
        same(json.loads(answer.choices[0].message.content), FORM)

    def picture():
        parts = [
            {"type": "text", "text": question("picture")},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}},
        ]
        same(ask("picture", parts).choices[0].message.content, "I see 1 picture.")

    def file():
        parts = [
            {"type": "text", "text": question("file")},
            {"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}},
        ]
        same(ask("file", parts).choices[0].message.content, "I read 1 file.")

    def reasoning():
        answer = ask("reasoning", reasoning_effort="low", max_completion_tokens=CAP)
        same(answer.choices[0].message.content, ANSWER)
        told = getattr(answer.choices[0].message, "reasoning_content", None)
        if place.upstream != "chat":
            same(told, THOUGHT, "thought")
        return usage_of(answer)

    def reasoning_streamed():
        said, thought = "", ""
        for chunk in ask("reasoning-streamed", reasoning_effort="low", max_completion_tokens=CAP, stream=True):
            for choice in chunk.choices:
                said += choice.delta.content or ""
                thought += getattr(choice.delta, "reasoning_content", None) or ""
        same(said, ANSWER)
        if place.upstream != "chat":
            same(thought, THOUGHT, "thought")

    def citations(name, read):
        message = read(name).choices[0].message
        same(message.content, ANSWER)
        true(message.annotations, "no annotations")
        same(message.annotations[0].url_citation.url, SOURCE["url"])

    def long_history():
        answer = ask("long-history", messages=[{"role": role, "content": text} for role, text in history()])
        same(answer.choices[0].message.content, ANSWER)

    def failing(name, kind, status, code=None, **more):
        error = raised(lambda: ask(name, **more), openai.APIStatusError)
        same(type(error).__name__, kind)
        same(error.status_code, status, "status")
        if code is not None:
            same(error.code, code, "code")
        return error

    def rate_limited():
        error = failing("rate-limited", "RateLimitError", 429)
        true(error.response.headers.get("retry-after"), "no Retry-After")

    def cut():
        def read():
            for _ in ask("cut", stream=True):
                pass

        raised(read)

    def unauthorized():
        other = openai.OpenAI(api_key="sk-nothing", base_url=f"{place.url}/v1", max_retries=0)
        error = raised(lambda: other.models.list(), openai.APIStatusError)
        same(error.status_code, 401, "status")

    def unknown_model():
        messages = [{"role": "user", "content": "Hi"}]
        error = raised(
            lambda: client.chat.completions.create(model="no-such-model", messages=messages), openai.APIStatusError
        )
        same([error.status_code, error.code], [404, "model_not_found"])

    def models():
        true(place.model in [model.id for model in client.models.list()], "the model is not listed")

    def embeddings():
        answer = client.embeddings.create(model=place.model, input=["one", "two"])
        same([len(one.embedding) for one in answer.data], [3, 3])
        same(answer.data[1].index, 1)

    return {
        "chat": chat,
        "stream": stream,
        "tools": lambda: tools("tools", ask),
        "tools-streamed": lambda: tools("tools-streamed", collect),
        "parallel-tools": lambda: tools("parallel-tools", ask),
        "parallel-tools-streamed": lambda: tools("parallel-tools-streamed", collect),
        "structured": structured,
        "picture": picture,
        "file": file,
        "reasoning": reasoning,
        "reasoning-streamed": reasoning_streamed,
        "citations": lambda: citations("citations", ask),
        "citations-streamed": lambda: citations("citations-streamed", collect),
        "long-history": long_history,
        "rate-limited": rate_limited,
        "too-long": lambda: failing("too-long", "BadRequestError", 400, "context_length_exceeded") and None,
        "overloaded": lambda: failing("overloaded", "InternalServerError", 503) and None,
        "cut": cut,
        "unauthorized": unauthorized,
        "unknown-model": unknown_model,
        "models": models,
        "embeddings": embeddings,
    }
