"""Google's official package."""

import json

from google import genai
from google.genai import errors, types

from place import (
    ANSWER, FORM, FORM_SCHEMA, LOOKUP_SCHEMA, NO_ARGUMENTS, PDF_BYTES, PICTURE_BYTES, SOURCE, THOUGHT, TOOL_RESULT,
    calls_of, history, question, raised, same, true,
)

TOOLS = [
    types.Tool(
        function_declarations=[
            types.FunctionDeclaration(name="lookup", description="Weather", parameters_json_schema=LOOKUP_SCHEMA),
            types.FunctionDeclaration(name="now", description="Time", parameters_json_schema=NO_ARGUMENTS),
        ]
    )
]


def client_of(place, key=None):
    options = types.HttpOptions(base_url=place.url, retry_options=types.HttpRetryOptions(attempts=1))
    return genai.Client(api_key=key or place.key, http_options=options)


def scenarios(place):
    client = client_of(place)

    def ask(name, contents=None, **config):
        made = client.models.generate_content(
            model=place.model,
            contents=contents or question(name),
            config=types.GenerateContentConfig(**config),
        )
        return [made], list(made.candidates[0].content.parts)

    def collect(name, contents=None, **config):
        chunks, parts = [], []
        for chunk in client.models.generate_content_stream(
            model=place.model,
            contents=contents or question(name),
            config=types.GenerateContentConfig(**config),
        ):
            chunks.append(chunk)
            for candidate in chunk.candidates or []:
                parts += (candidate.content and candidate.content.parts) or []
        return chunks, parts

    def said(parts, is_thought=False):
        return "".join(part.text or "" for part in parts if bool(part.thought) == is_thought)

    def usage_of(chunks):
        usage = chunks[-1].usage_metadata
        return [usage.prompt_token_count, (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)]

    def chat(name, read):
        chunks, parts = read(name)
        same(said(parts), ANSWER)
        same(said(parts, True), "", "thoughts nobody asked for")
        same(chunks[-1].candidates[0].finish_reason, types.FinishReason.STOP, "finish reason")
        return usage_of(chunks)

    def tools(name, read):
        contents = [types.Content(role="user", parts=[types.Part(text=question(name))])]
        more = {"tools": TOOLS, "automatic_function_calling": types.AutomaticFunctionCallingConfig(disable=True)}
        _, parts = read(name, contents, **more)
        calls = [part.function_call for part in parts if part.function_call]
        same([(call.name, call.args or {}) for call in calls], calls_of(name), "calls")
        contents.append(types.Content(role="model", parts=parts))
        results = [
            types.Part(
                function_response=types.FunctionResponse(
                    id=call.id, name=call.name, response={"result": TOOL_RESULT}
                )
            )
            for call in calls
        ]
        contents.append(types.Content(role="user", parts=results))
        chunks, parts = read(name, contents, **more)
        same(said(parts), ANSWER)
        return usage_of(chunks)

    def structured():
        _, parts = ask("structured", response_mime_type="application/json", response_json_schema=FORM_SCHEMA)
        same(json.loads(said(parts)), FORM)

    def with_bytes(name, data, kind):
        _, parts = ask(name, [types.Part.from_bytes(data=data, mime_type=kind), question(name)])
        return said(parts)

    def reasoning(name, read):
        chunks, parts = read(name, thinking_config=types.ThinkingConfig(include_thoughts=True))
        same(said(parts), ANSWER)
        if place.upstream != "chat":
            same(said(parts, True), THOUGHT, "thought")
        return usage_of(chunks)

    def citations(name, read):
        chunks, parts = read(name)
        same(said(parts), ANSWER)
        found = [
            one.web.uri
            for chunk in chunks
            for candidate in chunk.candidates or []
            if candidate.grounding_metadata
            for one in candidate.grounding_metadata.grounding_chunks or []
        ]
        true(SOURCE["url"] in found, "no sources")

    def long_history():
        contents = [
            types.Content(role="model" if role == "assistant" else "user", parts=[types.Part(text=text)])
            for role, text in history()
        ]
        same(said(ask("long-history", contents)[1]), ANSWER)

    def failing(name, code, status, words=""):
        error = raised(lambda: ask(name), errors.APIError)
        same([error.code, error.status], [code, status])
        true(words in error.message, f"the message is {error.message!r}")

    def unauthorized():
        other = client_of(place, "sk-nothing")
        error = raised(lambda: list(other.models.list()), errors.APIError)
        same([error.code, error.status], [401, "UNAUTHENTICATED"])

    def unknown_model():
        error = raised(
            lambda: client.models.generate_content(model="no-such-model", contents="Hi"), errors.APIError
        )
        same([error.code, error.status], [404, "NOT_FOUND"])

    def models():
        true(f"models/{place.model}" in [model.name for model in client.models.list()], "the model is not listed")

    def embeddings():
        answer = client.models.embed_content(model=place.model, contents=["one", "two"])
        same([len(one.values) for one in answer.embeddings], [3, 3])

    return {
        "chat": lambda: chat("chat", ask),
        "stream": lambda: chat("stream", collect),
        "tools": lambda: tools("tools", ask),
        "tools-streamed": lambda: tools("tools-streamed", collect),
        "parallel-tools": lambda: tools("parallel-tools", ask),
        "parallel-tools-streamed": lambda: tools("parallel-tools-streamed", collect),
        "structured": structured,
        "picture": lambda: same(with_bytes("picture", PICTURE_BYTES, "image/png"), "I see 1 picture."),
        "file": lambda: same(with_bytes("file", PDF_BYTES, "application/pdf"), "I read 1 file."),
        "reasoning": lambda: reasoning("reasoning", ask),
        "reasoning-streamed": lambda: reasoning("reasoning-streamed", collect),
        "citations": lambda: citations("citations", ask),
        "citations-streamed": lambda: citations("citations-streamed", collect),
        "long-history": long_history,
        "rate-limited": lambda: failing("rate-limited", 429, "RESOURCE_EXHAUSTED"),
        "too-long": lambda: failing("too-long", 400, "INVALID_ARGUMENT", "exceeds the maximum number of tokens"),
        "overloaded": lambda: failing("overloaded", 503, "UNAVAILABLE"),
        "cut": lambda: raised(lambda: collect("cut")) and None,
        "unauthorized": unauthorized,
        "unknown-model": unknown_model,
        "models": models,
        "embeddings": embeddings,
    }
