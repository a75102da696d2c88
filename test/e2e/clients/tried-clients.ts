import type { FormatName } from './agents/agent.fixture.js';
import type { Language } from './open-cells.js';

/** Vendors a client is tried over: `thinker` is an OpenAI-like one that thinks without being asked. */
export const UPSTREAMS: readonly FormatName[] = ['chat', 'thinker', 'responses', 'messages', 'gemini'];

/** One client, and how it is tried. */
export interface TriedClient {
  /** Name printed by its program. */
  readonly name: string;
  /** Package whose version is shown, as the list of its language names it. */
  readonly package: string;
  /** Scenarios over each upstream; a number that shrinks says that something was left out. */
  readonly scenarios: number;
  /** It also asks for vectors, of the upstreams that give them. */
  readonly hasVectors?: true;
}

const client = (name: string, scenarios: number, from = name): TriedClient => ({
  name,
  package: from,
  scenarios,
});
const withVectors = (tried: TriedClient): TriedClient => ({ ...tried, hasVectors: true });

export const TRIED_CLIENTS: Readonly<Record<Language, readonly TriedClient[]>> = {
  Python: [
    withVectors(client('openai (chat)', 21, 'openai')),
    client('openai (Responses)', 19, 'openai'),
    client('anthropic', 22),
    withVectors(client('google-genai', 21)),
    client('langchain-openai', 10),
    client('langchain-openai (Responses)', 10, 'langchain-openai'),
    client('langchain-anthropic', 10),
    client('langchain-google-genai', 10),
    client('pydantic-ai (openai)', 9, 'pydantic-ai-slim'),
    client('pydantic-ai (Responses)', 9, 'pydantic-ai-slim'),
    client('pydantic-ai (google)', 9, 'pydantic-ai-slim'),
    client('litellm (openai)', 7, 'litellm'),
    client('litellm (anthropic)', 7, 'litellm'),
    client('openai-agents (chat)', 6, 'openai-agents'),
    client('openai-agents (Responses)', 6, 'openai-agents'),
    client('instructor', 1),
    client('llama-index', 4, 'llama-index-core'),
  ],
  Node: [
    withVectors(client('openai (chat)', 21, 'openai')),
    client('openai (Responses)', 19, 'openai'),
    client('@anthropic-ai/sdk', 22),
    withVectors(client('@google/genai', 22)),
    client('@ai-sdk/openai (chat)', 19, '@ai-sdk/openai'),
    client('@ai-sdk/openai (Responses)', 19, '@ai-sdk/openai'),
    client('@ai-sdk/anthropic', 19),
    client('@ai-sdk/google', 19),
    ...['ai-6', 'ai-5'].flatMap((line) => [
      client(`${line}-openai (chat)`, 19, `${line}-openai`),
      client(`${line}-openai (Responses)`, 19, `${line}-openai`),
      client(`${line}-anthropic`, 19),
      client(`${line}-google`, 19),
    ]),
    client('@langchain/openai (chat)', 11, '@langchain/openai'),
    client('@langchain/openai (Responses)', 11, '@langchain/openai'),
    client('@langchain/anthropic', 11),
    client('@langchain/google-genai', 11),
    client('@openai/agents (chat)', 7, '@openai/agents'),
    client('@openai/agents (Responses)', 7, '@openai/agents'),
  ],
  Go: [
    withVectors(client('openai-go (chat)', 19, 'github.com/openai/openai-go/v3')),
    client('openai-go (Responses)', 19, 'github.com/openai/openai-go/v3'),
    client('anthropic-sdk-go', 21, 'github.com/anthropics/anthropic-sdk-go'),
    withVectors(client('genai', 22, 'google.golang.org/genai')),
    client('langchaingo (openai)', 8, 'github.com/tmc/langchaingo'),
    client('langchaingo (anthropic)', 8, 'github.com/tmc/langchaingo'),
  ],
  Java: [
    withVectors(client('openai-java (chat)', 19, 'openai-java')),
    client('openai-java (Responses)', 19, 'openai-java'),
    client('anthropic-java', 21),
    withVectors(client('google-genai', 22)),
    client('langchain4j-open-ai', 13),
    client('langchain4j-anthropic', 13),
    client('langchain4j-google-ai-gemini', 13),
    withVectors(client('spring-ai-openai', 16)),
    client('spring-ai-anthropic', 17),
    client('spring-ai-google-genai', 16),
  ],
  Rust: [
    client('async-openai (chat)', 17, 'async-openai'),
    client('async-openai (Responses)', 17, 'async-openai'),
    client('genai (openai)', 13, 'genai'),
    client('genai (Responses)', 13, 'genai'),
    client('genai (anthropic)', 13, 'genai'),
    client('genai (gemini)', 13, 'genai'),
  ],
};
