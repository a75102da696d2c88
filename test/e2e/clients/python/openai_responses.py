"""The official OpenAI package, Responses."""

import json

import openai

from place import (
    ANSWER, FORM, FORM_SCHEMA, LOOKUP_SCHEMA, NO_ARGUMENTS, PDF, PICTURE, SOURCE, THOUGHT, TOOL_RESULT,
    calls_of, history, question, raised, same, true,
)

TOOLS = [
    {"type": "function", "name": "lookup", "description": "Weather", "parameters": LOOKUP_SCHEMA, "strict": False},
    {"type": "function", "name": "now", "description": "Time", "parameters": NO_ARGUMENTS, "strict": False},
]


def scenarios(place):
    client = openai.OpenAI(api_key=place.key, base_url=f"{place.url}/v1", max_retries=0)

    def ask(name, given=None, **more):
        return client.responses.create(model=place.model, input=given or question(name), **more)

    def collect(name, given=None, **more):
        with client.responses.stream(model=place.model, input=given or question(name), **more) as stream:
            for _ in stream:
                pass
            return stream.get_final_response()

    def usage_of(answer):
        true(answer.usage.output_tokens_details.reasoning_tokens is not None, "no count of reasoning")
        return [answer.usage.input_tokens, answer.usage.output_tokens]

    def chat(name, read):
        answer = read(name)
        same(answer.output_text, ANSWER)
        same(answer.status, "completed")
        true(float(answer.created_at).is_integer(), "created_at is a whole number")
        return usage_of(answer)

    def tools(name, read):
        items = [{"role": "user", "content": question(name)}]
        more = {"tools": TOOLS, "store": False, "include": ["reasoning.encrypted_content"]}
        first = read(name, items, **more)
        calls = [item for item in first.output if item.type == "function_call"]
        same([(call.name, json.loads(call.arguments)) for call in calls], calls_of(name), "calls")
        items += [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in first.output]
        items += [{"type": "function_call_output", "call_id": call.call_id, "output": TOOL_RESULT} for call in calls]
        last = read(name, items, **more)
        same(last.output_text, ANSWER)
        return usage_of(last)

    def structured():
        form = {"type": "json_schema", "name": "form", "schema": FORM_SCHEMA, "strict": True}
        same(json.loads(ask("structured", text={"format": form}).output_text), FORM)

    def with_part(name, part):
        content = [{"type": "input_text", "text": question(name)}, part]
        return ask(name, [{"role": "user", "content": content}]).output_text

    def picture():
        part = {"type": "input_image", "detail": "auto", "image_url": f"data:image/png;base64,{PICTURE}"}
        same(with_part("picture", part), "I see 1 picture.")

    def file():
        part = {"type": "input_file", "filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}
        same(with_part("file", part), "I read 1 file.")

    def reasoning(name, read):
        answer = read(name, reasoning={"effort": "low", "summary": "auto"})
        same(answer.output_text, ANSWER)
        if place.upstream != "chat":
            thoughts = [part.text for item in answer.output if item.type == "reasoning" for part in item.summary]
            same("".join(thoughts), THOUGHT, "thought")

    def citations(name, read):
        answer = read(name)
        same(answer.output_text, ANSWER)
        said = [part for item in answer.output if item.type == "message" for part in item.content]
        true(said[0].annotations, "no annotations")
        same(said[0].annotations[0].url, SOURCE["url"])

    def long_history():
        same(ask("long-history", [{"role": role, "content": text} for role, text in history()]).output_text, ANSWER)

    def failing(name, status, code=None):
        error = raised(lambda: ask(name), openai.APIStatusError)
        same(error.status_code, status, "status")
        if code is not None:
            same(error.code, code, "code")
        return error

    def rate_limited():
        true(failing("rate-limited", 429).response.headers.get("retry-after"), "no Retry-After")

    def unknown_model():
        error = raised(lambda: client.responses.create(model="no-such-model", input="Hi"), openai.APIStatusError)
        same([error.status_code, error.code], [404, "model_not_found"])

    return {
        "chat": lambda: chat("chat", ask),
        "stream": lambda: chat("stream", collect),
        "tools": lambda: tools("tools", ask),
        "tools-streamed": lambda: tools("tools-streamed", collect),
        "parallel-tools": lambda: tools("parallel-tools", ask),
        "parallel-tools-streamed": lambda: tools("parallel-tools-streamed", collect),
        "structured": structured,
        "picture": picture,
        "file": file,
        "reasoning": lambda: reasoning("reasoning", ask),
        "reasoning-streamed": lambda: reasoning("reasoning-streamed", collect),
        "citations": lambda: citations("citations", ask),
        "citations-streamed": lambda: citations("citations-streamed", collect),
        "long-history": long_history,
        "rate-limited": rate_limited,
        "too-long": lambda: failing("too-long", 400, "context_length_exceeded") and None,
        "overloaded": lambda: failing("overloaded", 503) and None,
        "cut": lambda: raised(lambda: collect("cut")) and None,
        "unknown-model": unknown_model,
    }
