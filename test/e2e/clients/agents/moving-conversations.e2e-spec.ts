import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RULES } from '../../../support/refusing-vendors.js';
import { chatGrammar } from '../../../support/strict-vendors/chat.js';
import {
  AGENT_STORY,
  FORM_TURN,
  list,
  refuse,
  stepAt,
  TURNS,
  type Json,
  type Story,
} from '../../../support/strict-vendors/story.js';
import type { StrictGrammar } from '../../../support/strict-vendors/strict-grammar.js';
import { StrictVendor } from '../../../support/strict-vendors/strict-vendor.js';
import { modelOf, openAgentFixture, type AgentFixture } from './agent.fixture.js';
import { chatLoopSession } from './chat-client.js';
import { geminiSession } from './gemini-client.js';
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

/** A vendor of the chat format that refuses with its own errors what OpenAI takes. */
interface LookAlike {
  readonly type: number;
  readonly model: string;
  /** Rules that its models do not have. */
  readonly lacks: readonly string[];
  /** Members of other vendors in a message are ignored, as servers of open models do; else refused. */
  readonly isLenient: boolean;
}
const LOOK_ALIKES: readonly LookAlike[] = [
  { type: 53, model: 'deepseek-ai/DeepSeek-V4', lacks: [], isLenient: true },
  // Only its reasoning models want thoughts back, and these of their own.
  { type: 42, model: 'mistral-large-latest', lacks: ['thoughts of the round'], isLenient: false },
];

/** Its messages in the form of the grammar: thoughts in parts, or blank where another vendor had none, and the older name of the cap. */
function asChat({ max_tokens: cap, ...body }: Json, isLenient: boolean): Json {
  const messages = list(body['messages']).map((message) => {
    const { reasoning_content: thoughts, ...rest } = isLenient ? withoutOthersMembers(message) : message;
    const content = list(message['content']);
    const spoken = content.filter(({ type }) => type !== 'thinking');
    const isSplit = spoken.length < content.length;
    const words = spoken.map((part) => String(part['text'])).join('');
    return {
      ...rest,
      ...(thoughts === undefined || thoughts === ' ' ? {} : { reasoning_content: thoughts }),
      ...(isSplit ? { content: words === '' ? null : words } : {}),
    };
  });
  return { ...body, messages, ...(cap === undefined ? {} : { max_completion_tokens: cap }) };
}

function withoutOthersMembers({ reasoning_details: _details, ...message }: Json): Json {
  if (message['tool_calls'] === undefined) return message;
  const calls = list(message['tool_calls']).map(({ extra_content: _signature, ...call }) => call);
  return { ...message, tool_calls: calls };
}

function refusing({ type, model, lacks, isLenient }: LookAlike): StrictGrammar {
  const chat = chatGrammar(true);
  const rules = Object.entries(RULES).filter(([name]) => !lacks.includes(name));
  return {
    ...chat,
    understand: (body, request, story) => {
      for (const [, rule] of rules) {
        const refusal = rule({ type, model, isOpenai: false, body });
        if (refusal !== undefined) refuse(refusal);
      }
      return chat.understand(asChat(body, isLenient), request, story);
    },
  };
}

let fixture: AgentFixture;
const lookAlikes = new Map<string, StrictVendor>();
beforeAll(async () => {
  fixture = await openAgentFixture(() => MOVING);
  const models = LOOK_ALIKES.map(({ model }) => model);
  for (const one of LOOK_ALIKES) {
    const vendor = await StrictVendor.start(refusing(one), ['/v1/chat/completions'], () => MOVING);
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
