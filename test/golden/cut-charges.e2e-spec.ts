import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FinishedCall } from '../../server/relay-core/model/call.js';
import { runCall } from '../../server/relay-core/pipeline/run-call.js';
import { onTheWire } from '../replay/replay-upstream.mjs';
import { ANSWER_PAIRS, type AnswerPair } from '../support/answer-pairs.js';
import { missing } from '../support/gateway-console.js';
import { aRoute, MemoryPorts, someOptions } from '../support/memory-ports.js';
import { MemoryReply, type MemoryExchange } from '../support/memory-sides.js';
import { answers, type Answered } from '../support/random-answers/answered.js';
import { aClientCall, clientRouteOf } from '../support/relay-calls.js';
import type { Json } from '../support/strict-vendors/story.js';

/** Members that ask for reasoning, by the API's format. */
const REASONING: Readonly<Record<string, Json>> = {
  'openai-chat': { reasoning_effort: 'high' },
  'openai-responses': { reasoning: { effort: 'high' } },
  'anthropic-messages': { thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 60_000 },
  'gemini-generate': { generationConfig: { thinkingConfig: { thinkingBudget: 1_024 } } },
};
/** A model of this name hides its reasoning. */
const UNSEEN = 'gemini-2.5-flash';
/** Bytes that vendors seal a token of reasoning in, at least. */
const SEALED_BYTES = 16 / 3;
/** Tokens above those of any answer here. */
const [MORE_INPUT, MORE_OUTPUT] = [500, 300];

/** Hidden tokens of an answer, the place where its client leaves, and the vendor's report. */
interface Cut {
  readonly hidden: number;
  readonly asksForReasoning: boolean;
  /** Share of the answer's bytes. */
  readonly place: number;
  readonly reportComes: boolean;
}
const cuts: fc.Arbitrary<Cut> = fc.record({
  hidden: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20_000 })),
  asksForReasoning: fc.boolean(),
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  reportComes: fc.boolean(),
});

/** Signatures as long as what they hold. */
function sealed(events: readonly object[], hidden: number): string {
  const text = events.map((event) => JSON.stringify(event)).join('\n');
  const seals = /"(signature|thoughtSignature|encrypted_content)":"[^"]+"/g;
  const count = text.match(seals)?.length ?? 0;
  if (count === 0 || hidden === 0) return text;
  const seal = 'S'.repeat(Math.ceil((hidden * SEALED_BYTES) / count));
  return text.replace(seals, (_all, name: string) => `"${name}":"${seal}"`);
}

function bytesOf({ format }: AnswerPair, answered: Answered, hidden: number) {
  const { usage } = answered;
  const written = format.write({
    ...answered,
    usage: {
      ...usage,
      fresh: usage.fresh + MORE_INPUT,
      output: usage.output + MORE_OUTPUT + hidden,
      thinking: usage.thinking + hidden,
    },
  });
  const recorded = { name: '', vendor: '', api: '', form: 'chunks' as const };
  return onTheWire({ ...recorded, bytes: Buffer.from(sealed(written.events, hidden)) }, written.framing);
}

/** A call whose vendor sends so many bytes and waits. */
async function beginCall({ api, frontId, format }: AnswerPair, asksForReasoning: boolean) {
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0, maxResponseBytes: 64 * 1024 * 1024 });
  ports.prices.assumedOutput = 100_000;
  const isMapped = asksForReasoning && format.route.upstreamModel === undefined;
  const route = aRoute({ ...format.route, ...(isMapped ? { upstreamModel: UNSEEN } : {}) });
  ports.channels.routes.splice(0, Infinity, route);
  const reply = new MemoryReply();
  const path = api.path.replace('::generate', '::streamGenerate');
  const body = { ...api.body(true), ...(asksForReasoning ? REASONING[frontId] : {}) };
  const arrived = ports.sender.next();
  const call = aClientCall({
    path,
    pathModel: api.pathModel,
    query: api.query ?? '',
    body: Buffer.from(JSON.stringify(body)),
    receivedAtMs: ports.clock.nowMs(),
  });
  const done = runCall(ports, call, api.dialect, clientRouteOf(api.dialect, 'chat', path), reply);
  return { ports, reply, done, upstream: await arrived, hides: isMapped };
}

const settledOf = async (ports: MemoryPorts, done: Promise<void>): Promise<FinishedCall> => {
  await done;
  expect(ports.quota.holds.size).toBe(0);
  expect(ports.clock.waiting).toBe(0);
  return ports.quota.settled[0] ?? missing();
};

const give = (upstream: MemoryExchange, type: string, body: Buffer): MemoryExchange =>
  upstream.head(200, { 'content-type': type }).bytes(body);

describe('the charge of a cut stream', () => {
  it.each(ANSWER_PAIRS)('equals the report where it comes, else stays below it: $name', async (pair) => {
    await fc.assert(
      fc.asyncProperty(answers, cuts, async (answered, { hidden, asksForReasoning, place, reportComes }) => {
        const { type, body } = bytesOf(pair, answered, hidden);
        const whole = await beginCall(pair, asksForReasoning);
        give(whole.upstream, type, body).end();
        const price = (await settledOf(whole.ports, whole.done)).priced;

        const { ports, reply, done, upstream, hides } = await beginCall(pair, asksForReasoning);
        const at = Math.floor(place * body.length);
        give(upstream, type, body.subarray(0, at));
        const hasContent = reply.text !== '';
        reply.leave();
        const isReadOn = !upstream.isAborted;
        if (isReadOn && reportComes) upstream.bytes(body.subarray(at)).end();
        else ports.clock.advance(15_000);
        const charged = await settledOf(ports, done);

        expect(charged.priced).toBeLessThanOrEqual(price);
        if (!hasContent) expect(isReadOn).toBe(false);
        else if (isReadOn && reportComes) expect(charged.priced).toBe(price);
        else if (hides) {
          expect(['estimated', 'reported', 'bounded']).toContain(charged.evidence);
          if (charged.evidence === 'reported') expect(charged.priced).toBeGreaterThanOrEqual(0.9 * price);
        }
        if (hasContent && hides && !isReadOn) expect(['reported', 'bounded']).toContain(charged.evidence);
      }),
      { numRuns: 60, seed: 42 },
    );
  });
});
