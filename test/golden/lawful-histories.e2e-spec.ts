import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { carry, CHAT_APIS, CHAT_FORMATS, FORMATS_OF_WORDS } from '../support/chat-formats.js';
import { HISTORY_BODIES, histories, nameOf, type History } from '../support/random-histories.js';
import { chatGrammar } from '../support/strict-vendors/chat.js';
import { cohereTurns } from '../support/strict-vendors/cohere.js';
import { converseGrammar } from '../support/strict-vendors/converse.js';
import { geminiGrammar } from '../support/strict-vendors/gemini.js';
import { messagesGrammar } from '../support/strict-vendors/messages.js';
import { responsesGrammar } from '../support/strict-vendors/responses.js';
import { AGENT_STORY, type Json, type Story, type Turn } from '../support/strict-vendors/story.js';
import type { StrictGrammar } from '../support/strict-vendors/strict-grammar.js';

/** A vendor that never saw the conversation before: no thought is its own, and it wants none back. */
const STRANGER: Story = {
  ...AGENT_STORY,
  openRound: () => 0,
  isHidden: () => false,
  knowsThought: () => true,
  checkHistory: () => undefined,
};

const turnsOf =
  (grammar: StrictGrammar) =>
  (body: Json): readonly Turn[] =>
    grammar.understand(
      body,
      { method: 'POST', path: '/x', headers: { 'anthropic-version': '2023-06-01' }, body: Buffer.alloc(0) },
      STRANGER,
    ).turns;

/** Reads a conversation as the vendor of a format does; throws its refusal. */
const GRAMMARS: Readonly<Record<string, (body: Json) => readonly Turn[]>> = {
  'openai-chat': turnsOf(chatGrammar(true)),
  'spark-chat': turnsOf(chatGrammar(true)),
  'openai-responses': turnsOf(responsesGrammar),
  // Clouds that sell Claude name the version in the body.
  'anthropic-messages': ({ anthropic_version: _version, ...body }) => turnsOf(messagesGrammar)(body),
  'bedrock-converse': turnsOf(converseGrammar),
  'gemini-generate': turnsOf(geminiGrammar),
  'cohere-chat': cohereTurns,
};
/** They take a conversation in any order. */
const LENIENT = FORMATS_OF_WORDS.concat('ollama-chat', 'baidu-chat', 'tencent-chat');
const WITHOUT_PICTURES = FORMATS_OF_WORDS.concat('baidu-chat', 'tencent-chat');
const withoutPictures = (history: History): History => ({
  ...history,
  said: history.said.map((one) => ('hasPicture' in one ? { ...one, hasPicture: false } : one)),
});

const PAIRS = CHAT_APIS.flatMap((api) =>
  CHAT_FORMATS.map((format) => ({ api, format, name: `${api.id} → ${format.id}` })),
);

/** Words of the conversation in their order, and results in any. */
function wordsIn(history: History): {
  readonly inOrder: readonly string[];
  readonly anywhere: readonly string[];
} {
  const words = (kinds: readonly string[]): string[] =>
    history.said.flatMap((one) =>
      'words' in one && kinds.includes(one.kind) && one.words.trim() !== '' ? [one.words] : [],
    );
  return { inOrder: words(['user', 'words']), anywhere: words(['result', 'system']) };
}

it('reads the histories of every format by its grammar, but for those that take any order', () => {
  for (const { id } of CHAT_FORMATS) expect([...Object.keys(GRAMMARS), ...LENIENT]).toContain(id);
  for (const { id } of CHAT_APIS) expect(Object.keys(HISTORY_BODIES)).toContain(id);
});

describe('any history a client sends is one the vendor takes, and nothing of it is lost', () => {
  it.each(PAIRS)('$name', ({ api, format }) => {
    fc.assert(
      fc.property(histories, (drawn) => {
        const history = WITHOUT_PICTURES.includes(format.id) ? withoutPictures(drawn) : drawn;
        const carried = carry(api, format, HISTORY_BODIES[api.id]?.(history) ?? {}, {
          upstreamModel: UPSTREAM_MODELS[format.id] ?? 'model-up',
        });
        if ('refusal' in carried) throw new Error(carried.refusal);
        const turns = GRAMMARS[format.id]?.(carried.body) ?? [];
        const text = JSON.stringify(carried.body);
        const { inOrder, anywhere } = wordsIn(history);
        for (const words of anywhere) expect(text).toContain(words);
        const places = inOrder.map((words) => text.indexOf(words));
        expect(places).not.toContain(-1);
        expect(places).toEqual([...places].sort((first, second) => first - second));
        expectResultsOf(turns, history);
      }),
      { numRuns: 150, seed: 27 },
    );
  });
});

const UPSTREAM_MODELS: Readonly<Record<string, string>> = {
  'gemini-generate': 'gemini-3-pro-preview',
  'bedrock-converse': 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  'anthropic-messages': 'claude-sonnet-4-5',
};

const NO_RESULT = 'The tool gave no result.';

/** A call's result is one that was given for its number (for its name, without ids), or says that there is none. */
function expectResultsOf(turns: readonly Turn[], history: History): void {
  for (const { calls, results } of turns) {
    expect(results).toHaveLength(calls.length);
    for (const { id, name, args } of calls) {
      const given = history.said.flatMap((one) =>
        one.kind === 'result' && (one.call === args['n'] || nameOf(one.call) === name)
          ? [one.words.trim()]
          : [],
      );
      const result = results.find((one) => one.id === id)?.text ?? '';
      const isOneOf = [NO_RESULT, ...given].some((words) => result.includes(words));
      expect({ id, result, isOneOf }).toEqual({ id, result, isOneOf: true });
    }
  }
}
