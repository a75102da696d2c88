"""Where a client calls, what it asks, and how it is judged."""

import base64
import json
import os
from dataclasses import dataclass

# Nothing here calls anybody but the gateway.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["ANONYMIZED_TELEMETRY"] = "False"

SETTINGS = json.loads(os.environ["CLIENT_SETTINGS"])
ANSWER = SETTINGS["answer"]
THOUGHT = SETTINGS["thought"]
TOOL_RESULT = SETTINGS["toolResult"]
SOURCE = SETTINGS["source"]
PICTURE = SETTINGS["picture"]
PICTURE_BYTES = base64.b64decode(PICTURE)
PDF = SETTINGS["pdf"]
PDF_BYTES = base64.b64decode(PDF)
LONG_HISTORY = SETTINGS["longHistory"]
CAP = 9_000

LOOKUP_SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Name of the city"},
        "days": {"type": "integer"},
    },
    "required": ["city"],
}
NO_ARGUMENTS = {"type": "object", "properties": {}}
FORM_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}},
    "required": ["city", "degrees"],
    "additionalProperties": False,
}
FORM = {"city": "Zürich", "degrees": 21}
LOOKUP_CALL = ("lookup", {"city": "Zürich", "days": 3})
NOW_CALL = ("now", {})


@dataclass(frozen=True)
class Place:
    url: str
    key: str
    model: str
    upstream: str


class Wrong(Exception):
    """The answer is not the one that the vendor gave."""


def question(name: str) -> str:
    return f"[{name}] How is the weather in Zürich?"


def same(actual, wanted, what: str = "answer") -> None:
    if actual != wanted:
        raise Wrong(f"{what}: {actual!r} instead of {wanted!r}")


def true(value, what: str) -> None:
    if not value:
        raise Wrong(what)


def calls_of(name: str):
    return [LOOKUP_CALL, NOW_CALL] if name.startswith("parallel") else [LOOKUP_CALL]


def raised(call, kind=Exception):
    """The error that a call ends with."""
    try:
        call()
    except kind as error:
        return error
    raise Wrong("no error was raised")


def history():
    """Questions and answers of a long conversation: (role, text), the last one open."""
    turns = []
    for at in range(LONG_HISTORY):
        turns.append(("user", question("long-history") if at == 0 else f"Question {at}?"))
        turns.append(("assistant", f"Answer {at}."))
    turns.append(("user", "And now?"))
    return turns
