"""pydantic-ai over OpenAI chat, Responses and Google: its Anthropic half does not fit the current Anthropic package."""

import asyncio

from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent, ModelHTTPError, NativeOutput
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

from place import ANSWER, PICTURE_BYTES, TOOL_RESULT, question, raised, same


class Form(BaseModel):
    city: str
    degrees: int


def of_openai(place):
    return OpenAIChatModel(place.model, provider=OpenAIProvider(base_url=f"{place.url}/v1", api_key=place.key))


def of_openai_responses(place):
    return OpenAIResponsesModel(place.model, provider=OpenAIProvider(base_url=f"{place.url}/v1", api_key=place.key))


def of_google(place):
    return GoogleModel(place.model, provider=GoogleProvider(api_key=place.key, base_url=place.url))


def scenarios(place, make):
    def agent_of(output=str):
        agent = Agent(make(place), output_type=output, retries=0)
        seen = []

        @agent.tool_plain
        def lookup(city: str, days: int = 1) -> str:
            """Weather of a city."""
            seen.append(("lookup", {"city": city, "days": days}))
            return TOOL_RESULT

        @agent.tool_plain
        def now() -> str:
            """The time."""
            seen.append(("now", {}))
            return TOOL_RESULT

        return agent, seen

    def run(name):
        agent, seen = agent_of()
        answer = asyncio.run(agent.run(question(name)))
        same(answer.output, ANSWER)
        return seen

    def streamed(name):
        agent, seen = agent_of()

        async def read():
            async with agent.run_stream(question(name)) as answer:
                return await answer.get_output()

        same(asyncio.run(read()), ANSWER)
        return seen

    def structured():
        agent = Agent(make(place), output_type=NativeOutput(Form), retries=0)
        same(asyncio.run(agent.run(question("structured"))).output, Form(city="Zürich", degrees=21))

    def picture():
        agent = Agent(make(place), retries=0)
        parts = [question("picture"), BinaryContent(data=PICTURE_BYTES, media_type="image/png")]
        same(asyncio.run(agent.run(parts)).output, "I see 1 picture.")

    def unknown_model():
        agent = Agent(make(type(place)(place.url, place.key, "no-such-model", place.upstream)), retries=0)
        same(raised(lambda: asyncio.run(agent.run("Hi")), ModelHTTPError).status_code, 404)

    return {
        "chat": lambda: same(run("chat"), [], "calls"),
        "stream": lambda: same(streamed("stream"), [], "calls"),
        "tools": lambda: same(len(run("tools")), 1),
        "tools-streamed": lambda: same(len(streamed("tools-streamed")), 1),
        "parallel-tools": lambda: same(len(run("parallel-tools")), 2),
        "parallel-tools-streamed": lambda: same(len(streamed("parallel-tools-streamed")), 2),
        "structured": structured,
        "picture": picture,
        "unknown-model": unknown_model,
    }
