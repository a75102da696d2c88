"""Runs every client over every upstream and prints one line of JSON per cell."""

import json
import os
import sys
import threading
import traceback
import warnings
from concurrent.futures import ThreadPoolExecutor

import anthropic_messages
import google_genai
import langchain_clients
import openai_chat
import openai_responses
import other_clients
import pydantic_clients
from place import SETTINGS, Place

warnings.filterwarnings("ignore")

CLIENTS = {
    "openai (chat)": openai_chat.scenarios,
    "openai (Responses)": openai_responses.scenarios,
    "anthropic": anthropic_messages.scenarios,
    "google-genai": google_genai.scenarios,
    "langchain-openai": lambda place: langchain_clients.scenarios(place, langchain_clients.of_openai),
    "langchain-openai (Responses)": lambda place: langchain_clients.scenarios(
        place, langchain_clients.of_openai_responses
    ),
    "langchain-anthropic": lambda place: langchain_clients.scenarios(place, langchain_clients.of_anthropic),
    "langchain-google-genai": lambda place: langchain_clients.scenarios(place, langchain_clients.of_google),
    "pydantic-ai (openai)": lambda place: pydantic_clients.scenarios(place, pydantic_clients.of_openai),
    "pydantic-ai (Responses)": lambda place: pydantic_clients.scenarios(place, pydantic_clients.of_openai_responses),
    "pydantic-ai (google)": lambda place: pydantic_clients.scenarios(place, pydantic_clients.of_google),
    **other_clients.CLIENTS,
}
printing = threading.Lock()


def say(cell):
    with printing:
        sys.stdout.write(json.dumps(cell) + "\n")
        sys.stdout.flush()


def run(client, upstream, scenario, check):
    cell = {"client": client, "upstream": upstream, "scenario": scenario}
    try:
        say({**cell, "isRight": True, "usage": check()})
    except Exception as error:  # noqa: BLE001 - whatever a client raises is the finding
        say({**cell, "isRight": False, "detail": f"{type(error).__name__}: {error}"[:600]})
        if os.environ.get("CLIENT_TRACES"):
            traceback.print_exc()


def main():
    wanted = os.environ.get("CLIENT_ONLY", "")
    with ThreadPoolExecutor(4) as pool:
        for client, scenarios in CLIENTS.items():
            for upstream, model in SETTINGS["models"].items():
                if wanted not in f"{client} over {upstream}":
                    continue
                place = Place(SETTINGS["url"], SETTINGS["key"], model, upstream)
                offered = scenarios(place)
                vectors = offered.pop("embeddings", None)
                for scenario, check in offered.items():
                    pool.submit(run, client, upstream, scenario, check)
                if vectors is None or upstream not in SETTINGS["embeddingModels"]:
                    continue
                place = Place(SETTINGS["url"], SETTINGS["key"], SETTINGS["embeddingModels"][upstream], upstream)
                pool.submit(run, client, upstream, "embeddings", scenarios(place)["embeddings"])


main()
