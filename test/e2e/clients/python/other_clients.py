"""litellm's client, openai-agents, instructor and LlamaIndex."""

import asyncio
import json

import instructor
import openai
from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool
from agents import set_tracing_disabled
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel

from place import (
    ANSWER, CAP, FORM, LOOKUP_SCHEMA, NO_ARGUMENTS, TOOL_RESULT, calls_of, question, raised, same,
)
import litellm  # after place, which tells it to stay offline

set_tracing_disabled(True)
litellm.suppress_debug_info = True
litellm.telemetry = False


class Form(BaseModel):
    city: str
    degrees: int


def litellm_scenarios(place, provider):
    base = f"{place.url}/v1" if provider == "openai" else place.url

    def ask(given, **more):
        return litellm.completion(
            model=f"{provider}/{place.model}",
            messages=given,
            api_base=base,
            api_key=place.key,
            max_retries=0,
            max_tokens=CAP,
            **more,
        )

    def collect(given, **more):
        chunks = list(ask(given, stream=True, stream_options={"include_usage": True}, **more))
        return litellm.stream_chunk_builder(chunks, messages=given)

    def user(name):
        return [{"role": "user", "content": question(name)}]

    def chat(name, read):
        answer = read(user(name))
        same(answer.choices[0].message.content, ANSWER)
        return [answer.usage.prompt_tokens, answer.usage.completion_tokens]

    def tools(name, read):
        made = [
            {"type": "function", "function": {"name": "lookup", "parameters": LOOKUP_SCHEMA}},
            {"type": "function", "function": {"name": "now", "parameters": NO_ARGUMENTS}},
        ]
        messages = user(name)
        message = read(messages, tools=made).choices[0].message
        asked = [(call.function.name, json.loads(call.function.arguments)) for call in message.tool_calls]
        same(asked, calls_of(name), "calls")
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": TOOL_RESULT})
        same(read(messages, tools=made).choices[0].message.content, ANSWER)

    return {
        "chat": lambda: chat("chat", ask),
        "stream": lambda: chat("stream", collect),
        "tools": lambda: tools("tools", ask),
        "tools-streamed": lambda: tools("tools-streamed", collect),
        "parallel-tools": lambda: tools("parallel-tools", ask),
        "too-long": lambda: raised(lambda: ask(user("too-long")), litellm.ContextWindowExceededError) and None,
        "rate-limited": lambda: raised(lambda: ask(user("rate-limited")), litellm.RateLimitError) and None,
    }


def agents_scenarios(place, kind):
    def run(name, output=None):
        client = openai.AsyncOpenAI(api_key=place.key, base_url=f"{place.url}/v1", max_retries=0)
        seen = []

        @function_tool
        def lookup(city: str, days: int) -> str:
            """Weather of a city."""
            seen.append(city)
            return TOOL_RESULT

        @function_tool
        def now() -> str:
            """The time."""
            seen.append("now")
            return TOOL_RESULT

        settings = {"store": False, "response_include": ["reasoning.encrypted_content"]}
        agent = Agent(
            name="weather",
            instructions="You know the weather.",
            model=kind(model=place.model, openai_client=client),
            model_settings=ModelSettings(**(settings if kind is OpenAIResponsesModel else {})),
            tools=[lookup, now],
            **({} if output is None else {"output_type": output}),
        )
        return agent, seen

    def whole(name, calls):
        agent, seen = run(name)
        same(asyncio.run(Runner.run(agent, question(name))).final_output, ANSWER)
        same(len(seen), calls, "calls")

    def streamed(name, calls):
        agent, seen = run(name)

        async def read():
            answer = Runner.run_streamed(agent, question(name))
            async for _ in answer.stream_events():
                pass
            return answer.final_output

        same(asyncio.run(read()), ANSWER)
        same(len(seen), calls, "calls")

    def structured():
        agent, _ = run("structured", Form)
        same(asyncio.run(Runner.run(agent, question("structured"))).final_output, Form(**FORM))

    return {
        "chat": lambda: whole("chat", 0),
        "stream": lambda: streamed("stream", 0),
        "tools": lambda: whole("tools", 1),
        "tools-streamed": lambda: streamed("tools-streamed", 1),
        "parallel-tools": lambda: whole("parallel-tools", 2),
        "structured": structured,
    }


def instructor_scenarios(place):
    def structured():
        client = instructor.from_openai(
            openai.OpenAI(api_key=place.key, base_url=f"{place.url}/v1", max_retries=0),
            mode=instructor.Mode.JSON_SCHEMA,
        )
        messages = [{"role": "user", "content": question("structured")}]
        made = client.chat.completions.create(
            model=place.model, messages=messages, response_model=Form, max_retries=0
        )
        same(made.model_dump(), FORM)

    return {"structured": structured}


def llama_scenarios(place):
    model = OpenAILike(
        model=place.model,
        api_key=place.key,
        api_base=f"{place.url}/v1",
        is_chat_model=True,
        is_function_calling_model=True,
        max_retries=0,
    )

    def lookup(city: str, days: int = 1) -> str:
        """Weather of a city."""
        return TOOL_RESULT

    def now() -> str:
        """The time."""
        return TOOL_RESULT

    made = [FunctionTool.from_defaults(lookup), FunctionTool.from_defaults(now)]

    def chat():
        same(model.chat([ChatMessage(role="user", content=question("chat"))]).message.content, ANSWER)

    def stream():
        last = None
        for last in model.stream_chat([ChatMessage(role="user", content=question("stream"))]):
            pass
        same(last.message.content, ANSWER)

    def tools(name):
        first = model.chat_with_tools(made, user_msg=question(name), allow_parallel_tool_calls=True)
        calls = model.get_tool_calls_from_response(first)
        same([(call.tool_name, call.tool_kwargs) for call in calls], calls_of(name), "calls")
        history = [ChatMessage(role="user", content=question(name)), first.message]
        for call in calls:
            history.append(
                ChatMessage(role="tool", content=TOOL_RESULT, additional_kwargs={"tool_call_id": call.tool_id})
            )
        same(model.chat_with_tools(made, chat_history=history).message.content, ANSWER)

    return {
        "chat": chat,
        "stream": stream,
        "tools": lambda: tools("tools"),
        "parallel-tools": lambda: tools("parallel-tools"),
    }


CLIENTS = {
    "litellm (openai)": lambda place: litellm_scenarios(place, "openai"),
    "litellm (anthropic)": lambda place: litellm_scenarios(place, "anthropic"),
    "openai-agents (chat)": lambda place: agents_scenarios(place, OpenAIChatCompletionsModel),
    "openai-agents (Responses)": lambda place: agents_scenarios(place, OpenAIResponsesModel),
    "instructor": instructor_scenarios,
    "llama-index": llama_scenarios,
}
