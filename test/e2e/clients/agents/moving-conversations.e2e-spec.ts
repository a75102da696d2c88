import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AGENT_STORY, FORM_TURN, stepAt, TURNS, type Story } from '../../../support/strict-vendors/story.js';
import { StrictVendor } from '../../../support/strict-vendors/strict-vendor.js';
import { modelOf, openAgentFixture, type AgentFixture } from './agent.fixture.js';
import { chatLoopSession } from './chat-client.js';
import { geminiSession } from './gemini-client.js';
import { LOOK_ALIKES, refusingGrammar } from './look-alikes.js';
import { messagesSession } from './messages-client.js';
import { responsesSession } from './responses-client.js';
import type { Session } from './session.js';

/** Every vendor answers some turns of each conversation: thoughts and signatures of the others are nothing it could want back. */
const MOVING: Story = {
  ...AGENT_STORY,
  openRound: () => 0,
  isHidden: () => false,
  knowsThought: () => true,
};

let fixture: AgentFixture;
const lookAlikes = new Map<string, StrictVendor>();
beforeAll(async () => {
  fixture = await openAgentFixture(() => MOVING);
  const models = LOOK_ALIKES.map(({ model }) => model);
  for (const one of LOOK_ALIKES) {
    const vendor = await StrictVendor.start(refusingGrammar(one), ['/v1/chat/completions'], () => MOVING);
    lookAlikes.set(one.model, vendor);
    await fixture.admin.addChannel({ type: one.type, base_url: vendor.url, models: [one.model] });
  }
  const all = [...NATIVE.map(modelOf), ...models];
  const each = (value: number) => Object.fromEntries(all.map((model) => [model, value]));
  await fixture.admin.setOptions({ ModelRatio: each(1), CompletionRatio: each(2) });
});
afterAll(async () => {
  await fixture?.close();
  for (const vendor of lookAlikes.values()) await vendor.vendor.close();
});

const NATIVE = ['chat', 'messages', 'gemini', 'responses'] as const;
const vendorOf = (at: number): StrictVendor => {
  const native = NATIVE[at];
  const vendor =
    native === undefined
      ? lookAlikes.get(LOOK_ALIKES[at - NATIVE.length]?.model ?? '')
      : fixture.vendors[native];
  if (vendor === undefined) throw new Error(`there is no vendor ${at}`);
  return vendor;
};
const modelAt = (at: number): string => {
  const native = NATIVE[at];
  return native === undefined ? (LOOK_ALIKES[at - NATIVE.length]?.model ?? '') : modelOf(native);
};
const COUNT = NATIVE.length + LOOK_ALIKES.length;

const SESSIONS: Readonly<Record<string, Session>> = {
  'openai chat': chatLoopSession,
  'openai Responses': responsesSession,
  anthropic: messagesSession,
  gemini: geminiSession,
};
/** Steps from one vendor to the next: every vendor follows every other one, in one of the orders. */
const STEPS = [1, 5, 2, 3];
const placeAt = (turn: number, step: number): number => {
  // A step that shares a divisor with the number of vendors would leave some of them out.
  const rounds = Math.floor((turn * step) / COUNT);
  return (turn * step + (COUNT % step === 0 && step > 1 ? rounds : 0)) % COUNT;
};

describe('a conversation of twenty turns that changes its upstream every turn', () => {
  it.each(
    Object.keys(SESSIONS).flatMap((client) =>
      STEPS.map((step, at) => ({ client, step, isStreamed: at % 2 === 0 })),
    ),
  )('has no refusal: $client, $step vendors on (streamed: $isStreamed)', async (one) => {
    const { client, step, isStreamed } = one;
    const vendors = Array.from({ length: COUNT }, (_, at) => vendorOf(at));
    for (const vendor of vendors) vendor.forget();
    const told = await SESSIONS[client]?.({
      url: fixture.url,
      key: fixture.key,
      model: '',
      modelAt: (turn) => modelAt(placeAt(turn, step)),
      isStreamed,
    });
    expect(vendors.flatMap(({ refusals }) => refusals)).toEqual([]);
    expect(told?.map(({ text }) => text)).toEqual(
      Array.from({ length: TURNS + 1 }, (_, turn) => stepAt(turn).text),
    );
    expect(told?.map(({ calls }) => calls)).toEqual(
      Array.from({ length: TURNS + 1 }, (_, turn) =>
        stepAt(turn).calls.map(({ name, args }) => ({ name, args })),
      ),
    );
    // All of them took part.
    for (const { understood } of vendors) expect(understood.length).toBeGreaterThan(1);
    expect(vendors.reduce((sum, { understood }) => sum + understood.length, 0)).toBe(FORM_TURN + 1);
  });
});
