"""The official Anthropic package."""

import anthropic

from place import (
    ANSWER, CAP, FORM, FORM_SCHEMA, LOOKUP_SCHEMA, NO_ARGUMENTS, PDF, PICTURE, SOURCE, THOUGHT, TOOL_RESULT,
    calls_of, history, question, raised, same, true,
)
import json

TOOLS = [
    {"name": "lookup", "description": "Weather", "input_schema": LOOKUP_SCHEMA},
    {"name": "now", "description": "Time", "input_schema": NO_ARGUMENTS},
]
THINKING = {"type": "enabled", "budget_tokens": 2_000}


def scenarios(place):
    client = anthropic.Anthropic(api_key=place.key, base_url=place.url, max_retries=0)

    def ask(name, content=None, **more):
        messages = more.pop("messages", None) or [{"role": "user", "content": content or question(name)}]
        return client.messages.create(model=place.model, max_tokens=CAP, messages=messages, **more)

    def collect(name, content=None, **more):
        messages = more.pop("messages", None) or [{"role": "user", "content": content or question(name)}]
        with client.messages.stream(model=place.model, max_tokens=CAP, messages=messages, **more) as stream:
            for _ in stream:
                pass
            return stream.get_final_message()

    def usage_of(answer):
        read, written = answer.usage.cache_read_input_tokens or 0, answer.usage.cache_creation_input_tokens or 0
        return [answer.usage.input_tokens + read + written, answer.usage.output_tokens]

    def chat(name, read):
        answer = read(name)
        same(answer.content[0].text, ANSWER)
        same(answer.stop_reason, "end_turn")
        return usage_of(answer)

    def tools(name, read, **more):
        messages = [{"role": "user", "content": question(name)}]
        first = read(name, messages=messages, tools=TOOLS, **more)
        calls = [block for block in first.content if block.type == "tool_use"]
        same(first.stop_reason, "tool_use")
        same([(call.name, call.input) for call in calls], calls_of(name), "calls")
        messages.append({"role": "assistant", "content": first.content})
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": TOOL_RESULT} for call in calls]
        messages.append({"role": "user", "content": results})
        last = read(name, messages=messages, tools=TOOLS, **more)
        same([block.text for block in last.content if block.type == "text"], [ANSWER])
        return usage_of(last)

    def tool_runner():
        """The SDK calls the tools, asks again by itself and, unless it is told otherwise, sends only what is new of a thread."""
        called = []

        @anthropic.beta_tool(name="lookup", description="Weather", input_schema=LOOKUP_SCHEMA)
        def lookup(**arguments):
            called.append(("lookup", arguments))
            return TOOL_RESULT

        messages = [{"role": "user", "content": question("tools")}]
        runner = client.beta.messages.tool_runner(
            model=place.model, max_tokens=CAP, messages=messages, tools=[lookup]
        )
        answer = runner.until_done()
        same(called, calls_of("tools"), "calls")
        same([block.text for block in answer.content if block.type == "text"], [ANSWER])
        return usage_of(answer)

    def structured():
        answer = ask("structured", output_config={"format": {"type": "json_schema", "schema": FORM_SCHEMA}})
        same(json.loads(answer.content[0].text), FORM)

    def picture():
        source = {"type": "base64", "media_type": "image/png", "data": PICTURE}
        answer = ask("picture", [{"type": "image", "source": source}, {"type": "text", "text": question("picture")}])
        same(answer.content[0].text, "I see 1 picture.")

    def file():
        source = {"type": "base64", "media_type": "application/pdf", "data": PDF}
        answer = ask("file", [{"type": "document", "source": source}, {"type": "text", "text": question("file")}])
        same(answer.content[0].text, "I read 1 file.")

    def reasoning(name, read):
        answer = read(name, thinking=THINKING)
        if place.upstream == "chat":
            same(answer.content[0].text, ANSWER)
        else:
            same([block.type for block in answer.content][:2], ["thinking", "text"], "blocks")
            same(answer.content[0].thinking, THOUGHT, "thought")
            same(answer.content[1].text, ANSWER)

    def citations(name, read):
        block = read(name).content[0]
        same(block.text, ANSWER)
        true(block.citations, "no citations")
        same(block.citations[0].url, SOURCE["url"])

    def long_history():
        answer = ask("long-history", messages=[{"role": role, "content": text} for role, text in history()])
        same(answer.content[0].text, ANSWER)

    def failing(name, status, kind, words=""):
        error = raised(lambda: ask(name), anthropic.APIStatusError)
        same([error.status_code, error.body["error"]["type"]], [status, kind])
        true(words in error.body["error"]["message"], f"the message is {error.body['error']['message']!r}")
        return error

    def rate_limited():
        error = failing("rate-limited", 429, "rate_limit_error")
        true(error.response.headers.get("retry-after"), "no Retry-After")

    def unauthorized():
        other = anthropic.Anthropic(api_key="sk-nothing", base_url=place.url, max_retries=0)
        error = raised(lambda: other.models.list(), anthropic.APIStatusError)
        same([error.status_code, error.body["error"]["type"]], [401, "authentication_error"])

    def unknown_model():
        messages = [{"role": "user", "content": "Hi"}]
        error = raised(
            lambda: client.messages.create(model="no-such-model", max_tokens=9, messages=messages),
            anthropic.APIStatusError,
        )
        same([error.status_code, error.body["error"]["type"]], [404, "not_found_error"])

    def models():
        true(place.model in [model.id for model in client.models.list()], "the model is not listed")

    return {
        "chat": lambda: chat("chat", ask),
        "stream": lambda: chat("stream", collect),
        "tools": lambda: tools("tools", ask),
        "tools-streamed": lambda: tools("tools-streamed", collect),
        "parallel-tools": lambda: tools("parallel-tools", ask, thinking=THINKING),
        "parallel-tools-streamed": lambda: tools("parallel-tools-streamed", collect, thinking=THINKING),
        "tool-runner": tool_runner,
        "structured": structured,
        "picture": picture,
        "file": file,
        "reasoning": lambda: reasoning("reasoning", ask),
        "reasoning-streamed": lambda: reasoning("reasoning-streamed", collect),
        "citations": lambda: citations("citations", ask),
        "citations-streamed": lambda: citations("citations-streamed", collect),
        "long-history": long_history,
        "rate-limited": rate_limited,
        "too-long": lambda: failing("too-long", 400, "invalid_request_error", "prompt is too long") and None,
        "overloaded": lambda: failing("overloaded", 529, "overloaded_error") and None,
        "cut": lambda: raised(lambda: collect("cut")) and None,
        "unauthorized": unauthorized,
        "unknown-model": unknown_model,
        "models": models,
    }
