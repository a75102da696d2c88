import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  modelOf,
  openAgentFixture,
  API_FORMATS,
  type AgentFixture,
  type FormatName,
} from './agent.fixture.js';
import { AI_SDK_KINDS, aiSdkSession } from './ai-sdk-client.js';
import { langchainSession } from './langchain-client.js';
import { placeOf, type Session } from './session.js';
import { FORM_TURN, SPENT, stepAt, TURNS } from '../../../support/strict-vendors/story.js';

/** The same story with the frameworks agents are built with, which run the tools themselves. */
let fixture: AgentFixture;
beforeAll(async () => {
  fixture = await openAgentFixture();
});
afterAll(async () => {
  await fixture?.close();
});

const SESSIONS: Readonly<Record<string, Session>> = {
  ...Object.fromEntries(
    Object.entries(AI_SDK_KINDS).map(([name, kind]) => [`ai sdk, ${name}`, aiSdkSession(kind)]),
  ),
  'langchain chat': langchainSession(false),
  'langchain Responses': langchainSession(true),
};
/** Clients that know no member for the signatures of thoughts in their dialect. */
const FORGETFUL = new Set(['ai sdk, openai chat', 'ai sdk, openai-compatible', 'langchain chat']);

interface Case {
  readonly client: string;
  readonly apiFormat: FormatName;
  readonly isStreamed: boolean;
}

const CASES: readonly Case[] = Object.keys(SESSIONS)
  .flatMap((client) =>
    API_FORMATS.flatMap((apiFormat) =>
      [false, true].map((isStreamed) => ({ client, apiFormat, isStreamed })),
    ),
  )
  .filter(isPossible);

/**
 * An OpenAI-compatible chat provider has no seal for its thoughts, so clients that return sealed thoughts only leave them out;
 * LangChain uses Responses for models of that name, whatever its settings.
 */
function isPossible({ client, apiFormat }: Case): boolean {
  if (apiFormat === 'thinker') return !FORGETFUL.has(client) && client !== 'ai sdk, openai Responses';
  return !(client === 'langchain chat' && apiFormat === 'responses');
}

const writes = (apiFormat: FormatName): number =>
  apiFormat === 'messages' || apiFormat === 'bedrock' ? SPENT.written : 0;

describe('a framework runs twenty turns of tools (known pains 29–33)', () => {
  it.each(CASES)(
    '$client over $apiFormat (streamed: $isStreamed)',
    async ({ client, apiFormat, isStreamed }) => {
      const vendor = fixture.vendors[apiFormat];
      vendor.forget();
      const told = (await SESSIONS[client]?.(placeOf(fixture, modelOf(apiFormat), isStreamed))) ?? [];
      expect(vendor.refusals).toEqual([]);
      expect(told.map(({ text }) => text)).toEqual(
        Array.from({ length: TURNS + 1 }, (_, turn) => stepAt(turn).text),
      );
      for (const [turn, answer] of told.entries()) {
        const step = stepAt(turn);
        expect(answer.calls).toEqual(step.calls.map(({ name, args }) => ({ name, args })));
        expect(answer.reason).toBe(step.calls.length > 0 ? 'tool-calls' : 'stop');
        expect(answer.usage).toEqual([
          SPENT.fresh + SPENT.cached + writes(apiFormat),
          SPENT.cached,
          SPENT.output,
        ]);
      }
      expect(vendor.understood).toHaveLength(FORM_TURN + 1);
      if (FORGETFUL.has(client) || apiFormat === 'chat') return;
      // Whole, this client leaves out thoughts without words, so what follows one in its round is answered without thinking.
      const leavesHidden = client === 'ai sdk, google' && !isStreamed && apiFormat === 'messages';
      for (let turn = 1; turn < (leavesHidden ? 5 : TURNS); turn += 1)
        expect([turn, vendor.signaturesAt(turn)]).toEqual([turn, [turn % 10, turn % 10]]);
    },
  );
});
