import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  modelOf,
  openAgentFixture,
  API_FORMATS,
  type AgentFixture,
  type FormatName,
} from './agent.fixture.js';
import { chatLoopSession, chatSession } from './chat-client.js';
import { geminiSession } from './gemini-client.js';
import { messagesSession } from './messages-client.js';
import { responsesSession } from './responses-client.js';
import { placeOf, type Session } from './session.js';
import { FORM_TURN, SPENT, stepAt, TURNS } from '../../../support/strict-vendors/story.js';

/** Twenty turns with every official client over every vendor, each as strict as the real one. */
let fixture: AgentFixture;
beforeAll(async () => {
  fixture = await openAgentFixture();
});
afterAll(async () => {
  await fixture?.close();
});

const SESSIONS: Readonly<Record<string, Session>> = {
  'openai chat': chatLoopSession,
  'openai chat by its helper': chatSession,
  'openai Responses': responsesSession,
  anthropic: messagesSession,
  gemini: geminiSession,
};
const CLIENTS = Object.keys(SESSIONS);
/** Finish reasons of the dialects for tool calls and for a complete answer. */
const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  'openai chat': ['tool_calls', 'stop'],
  'openai chat by its helper': ['tool_calls', 'stop'],
  'openai Responses': ['completed', 'completed'],
  anthropic: ['tool_use', 'end_turn'],
  gemini: ['STOP', 'STOP'],
};
const writes = (apiFormat: FormatName): number =>
  apiFormat === 'messages' || apiFormat === 'bedrock' ? SPENT.written : 0;

/** The package's helper keeps the last piece of thoughts only; what the client sends to a vendor of its own format passes. */
const losesThoughts = ({ client, apiFormat, isStreamed }: Case): boolean =>
  client === 'openai chat by its helper' && isStreamed && apiFormat !== 'chat';

interface Case {
  readonly client: string;
  readonly apiFormat: FormatName;
  readonly isStreamed: boolean;
}

const CASES: readonly Case[] = CLIENTS.flatMap((client) =>
  API_FORMATS.flatMap((apiFormat) => [false, true].map((isStreamed) => ({ client, apiFormat, isStreamed }))),
).filter((one) => one.apiFormat !== 'thinker' || !losesThoughts(one));

describe('a session of twenty turns with tools, pictures, thoughts and a form (known pains 26, 27, 29–34)', () => {
  it.each(CASES)('$client over $apiFormat (streamed: $isStreamed)', async (one) => {
    const { client, apiFormat, isStreamed } = one;
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
      expect(answer.reason).toBe(REASONS[client]?.[step.calls.length > 0 ? 0 : 1]);
      expect(answer.usage).toEqual([
        SPENT.fresh + SPENT.cached + writes(apiFormat),
        SPENT.cached,
        SPENT.output,
      ]);
    }
    expect(vendor.understood).toHaveLength(FORM_TURN + 1);
    expect(vendor.understood.map(({ pictures }) => pictures)).toEqual(
      Array.from({ length: FORM_TURN + 1 }, (_, turn) => (turn < TURNS / 2 ? 1 : turn < TURNS ? 2 : 3)),
    );
    if (losesThoughts(one) || apiFormat === 'chat') return;
    // Every thought of the vendor reached the client, and came back with its signature, in its place.
    for (const [turn, { thought }] of told.entries()) {
      const isHidden = vendor.understood[turn]?.isHidden === true;
      expect([turn, thought]).toEqual([turn, isHidden ? '' : stepAt(turn).thought]);
    }
    for (let turn = 1; turn < TURNS; turn += 1)
      expect([turn, vendor.signaturesAt(turn)]).toEqual([turn, [turn % 10, turn % 10]]);
    expect(
      vendor.understood.every(
        ({ isThinking, turns }) => isThinking && !turns.some(({ isChanged }) => isChanged),
      ),
    ).toBe(true);
  });
});
