"""LangChain over its OpenAI, Anthropic and Google packages."""

from langchain_anthropic import ChatAnthropic
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI

from place import (
    ANSWER, CAP, FORM, FORM_SCHEMA, PICTURE, TOOL_RESULT, calls_of, history, question, raised, same,
)


@tool
def lookup(city: str, days: int = 1) -> str:
    """Weather of a city."""
    return TOOL_RESULT


@tool
def now() -> str:
    """The time."""
    return TOOL_RESULT


def of_openai(place):
    return ChatOpenAI(model=place.model, api_key=place.key, base_url=f"{place.url}/v1", max_retries=0, stream_usage=True)


def of_openai_responses(place):
    return ChatOpenAI(
        model=place.model,
        api_key=place.key,
        base_url=f"{place.url}/v1",
        max_retries=0,
        use_responses_api=True,
        store=False,
        include=["reasoning.encrypted_content"],
    )


def of_anthropic(place):
    return ChatAnthropic(
        model_name=place.model, api_key=place.key, base_url=place.url, max_retries=0, max_tokens_to_sample=CAP
    )


def of_google(place):
    return ChatGoogleGenerativeAI(model=place.model, google_api_key=place.key, base_url=place.url, max_retries=1)


def scenarios(place, make):
    model = make(place)

    def collect(given, bound=model):
        pieces = None
        for piece in bound.stream(given):
            pieces = piece if pieces is None else pieces + piece
        return pieces

    def usage_of(message):
        return [message.usage_metadata["input_tokens"], message.usage_metadata["output_tokens"]]

    def chat(name, read):
        message = read(question(name))
        same(message.text, ANSWER)
        return usage_of(message)

    def tools(name, read):
        bound = model.bind_tools([lookup, now])
        messages = [HumanMessage(question(name))]
        first = read(messages, bound)
        same([(call["name"], call["args"]) for call in first.tool_calls], calls_of(name), "calls")
        messages.append(AIMessage(**first.model_dump(exclude={"type", "tool_call_chunks", "chunk_position"})))
        messages += [ToolMessage(TOOL_RESULT, tool_call_id=call["id"], name=call["name"]) for call in first.tool_calls]
        last = read(messages, bound)
        same(last.text, ANSWER)
        return usage_of(last)

    def structured():
        schema = {"title": "form", "description": "Weather of a city", **FORM_SCHEMA}
        form = model.with_structured_output(schema, method="json_schema")
        same(form.invoke(question("structured")), FORM)

    def picture():
        parts = [
            {"type": "text", "text": question("picture")},
            {"type": "image", "source_type": "base64", "mime_type": "image/png", "data": PICTURE},
        ]
        same(model.invoke([HumanMessage(parts)]).text, "I see 1 picture.")

    def long_history():
        kinds = {"user": HumanMessage, "assistant": AIMessage}
        same(model.invoke([kinds[role](text) for role, text in history()]).text, ANSWER)

    def too_long():
        raised(lambda: model.invoke(question("too-long")), ContextOverflowError)

    invoke = lambda given, bound=model: bound.invoke(given)
    return {
        "chat": lambda: chat("chat", invoke),
        "stream": lambda: chat("stream", collect),
        "tools": lambda: tools("tools", invoke),
        "tools-streamed": lambda: tools("tools-streamed", collect),
        "parallel-tools": lambda: tools("parallel-tools", invoke),
        "structured": structured,
        "picture": picture,
        "long-history": long_history,
        "too-long": too_long,
        "cut": lambda: raised(lambda: collect(question("cut"))) and None,
    }
