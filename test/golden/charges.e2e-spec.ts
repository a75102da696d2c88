import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runCall } from '../../server/relay-core/pipeline/run-call.js';
import { MemoryPorts, someOptions } from '../support/memory-ports.js';
import { MemoryReply } from '../support/memory-sides.js';
import { aClientCall } from '../support/relay-calls.js';
import { answerBytes } from './matrix-answers.js';
import { everyCell, type Cell } from './matrix-cells.js';

const CELLS = (await everyCell()).filter(
  ({ address, isRefused, clientRoute }) =>
    address !== undefined && !isRefused && clientRoute.operation === 'chat',
);

/** Field of each vendor's format with the cap of an answer; a format that is not listed has none. */
const CAP_PLACES: Readonly<Record<string, readonly string[]>> = {
  'openai-chat': ['max_tokens', 'max_completion_tokens'],
  'openai-completions': ['max_tokens'],
  'spark-chat': ['max_tokens', 'max_completion_tokens'],
  'baidu-chat': ['max_output_tokens'],
  'openai-responses': ['max_output_tokens'],
  'anthropic-messages': ['max_tokens'],
  'gemini-generate': ['generationConfig.maxOutputTokens'],
  'bedrock-converse': ['inferenceConfig.maxTokens'],
  'ollama-chat': ['options.num_predict'],
  'cohere-chat': ['max_tokens'],
};
const MULTIPLIER_PLACES = ['n', 'best_of', 'generationConfig.candidateCount'];

const readAt = (body: unknown, path: string): number => {
  let value = body;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'number' ? value : 0;
};

interface Variant {
  readonly cap: number | null | undefined;
  readonly otherCap: number | undefined;
  readonly n: number | null | undefined;
  readonly bestOf: number | undefined;
  readonly override: Readonly<Record<string, unknown>> | undefined;
  readonly isThinkingName: boolean;
  /** Words of the answer, and of what the vendor says it made. */
  readonly words: number;
  readonly reported: number;
  readonly balance: number;
}

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const tokens = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 3_000 }));
const override = fc.oneof(
  fc.record(
    {
      max_tokens: tokens,
      max_completion_tokens: tokens,
      max_output_tokens: tokens,
      max_new_tokens: tokens,
      n: fc.integer({ min: 1, max: 8 }),
      best_of: fc.integer({ min: 1, max: 8 }),
      generationConfig: fc.record({
        maxOutputTokens: tokens,
        candidateCount: fc.integer({ min: 1, max: 8 }),
      }),
      inferenceConfig: fc.record({ maxTokens: tokens }),
      options: fc.record({ num_predict: tokens }),
    },
    { requiredKeys: [] },
  ),
  fc.record({
    operations: fc.array(
      fc.oneof(
        fc.record({
          mode: fc.constant('delete'),
          path: fc.constantFrom(
            'max_tokens',
            'n',
            'max_output_tokens',
            'generationConfig',
            'inferenceConfig',
          ),
        }),
        fc.record({
          mode: fc.constant('set'),
          path: fc.constantFrom(
            'max_tokens',
            'options.num_predict',
            'generationConfig.maxOutputTokens',
            'best_of',
          ),
          value: tokens,
        }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
);
const variants: fc.Arbitrary<Variant> = fc.record({
  cap: fc.option(optional(tokens), { nil: null }),
  otherCap: optional(tokens),
  n: fc.option(optional(fc.integer({ min: 1, max: 6 })), { nil: null }),
  bestOf: optional(fc.integer({ min: 1, max: 6 })),
  override: optional(override),
  isThinkingName: fc.boolean(),
  words: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 6_000 })),
  reported: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 9_000 })),
  balance: fc.constantFrom(1_000, 20_000, 10_000_000),
});

/** The question of a cell with the caps and multipliers of its format changed. */
function bodyOf({ question, clientRoute }: Cell, { cap, otherCap, n, bestOf }: Variant): Buffer {
  const body = JSON.parse(question.body.toString('utf8')) as Record<string, unknown>;
  switch (clientRoute.apiFormat.id) {
    case 'openai-chat':
      Object.assign(body, { max_tokens: cap, max_completion_tokens: otherCap, n, best_of: bestOf });
      break;
    case 'openai-completions':
      Object.assign(body, { max_tokens: cap, n, best_of: bestOf, n_predict: otherCap });
      break;
    case 'openai-responses':
      Object.assign(body, { max_output_tokens: cap });
      break;
    case 'anthropic-messages':
      Object.assign(body, { max_tokens: cap ?? 100 });
      break;
    default:
      body['generationConfig'] = { maxOutputTokens: cap ?? undefined, candidateCount: n ?? undefined };
  }
  return Buffer.from(JSON.stringify(body));
}

const REPORTS =
  /"(completion_tokens|output_tokens|candidatesTokenCount|outputTokens|eval_count|output_count|CompletionTokens)":(?:20|15)\b/g;
/** Part of the recorded reports: thoughts that are counted beside the words, and fit into no smaller report. */
const THOUGHTS = /"(thoughtsTokenCount|reasoning_tokens)":5\b/g;

/** Plays a cell; the vendor answers with so many words, and reports so many tokens, whatever the request. */
async function play(cell: Cell, variant: Variant) {
  const { dialect, clientRoute, route, stream, apiFormat, isForced } = cell;
  const ports = new MemoryPorts();
  ports.quota.balance = variant.balance;
  const upstreamModel = variant.isThinkingName ? `${route.upstreamModel}-thinking` : route.upstreamModel;
  ports.options.value = someOptions({ retryTimes: 0 });
  const settings = isForced
    ? { ...route.settings, forceFormat: true, systemPrompt: 'Ours.' }
    : route.settings;
  ports.channels.routes[0] = { ...route, settings, upstreamModel, paramOverride: variant.override };
  const text = 'word '.repeat(variant.words).trim();
  const change = (json: string): string =>
    json
      .replaceAll('Looking.', text)
      .replace(THOUGHTS, '"$1":0')
      .replace(REPORTS, `"$1":${variant.reported}`)
      .replace(
        /"(total_tokens|totalTokens|totalTokenCount|token_count|TotalTokens)":60/g,
        `"$1":${40 + variant.reported}`,
      );
  ports.sender.scripts = [
    (upstream) => {
      const isInvoked = stream && upstream.request.url.includes('/invoke');
      const { type, body } = answerBytes(apiFormat, stream, isInvoked, change);
      upstream.head(200, { 'content-type': type }).bytes(body).end();
    },
  ];
  const reply = new MemoryReply();
  await runCall(
    ports,
    aClientCall({
      path: clientRoute.path,
      pathModel: clientRoute.path.includes(':model') ? 'gpt-test' : undefined,
      query: clientRoute.path.includes(':streamGenerate') ? 'alt=sse' : '',
      headers: cell.question.headers,
      body: bodyOf(cell, variant),
      receivedAtMs: ports.clock.nowMs(),
    }),
    dialect,
    clientRoute,
    reply,
  );
  return { ports, reply };
}

/** Output the test's price book assumes for a call without a cap. */
const ASSUMED_OUTPUT = 100;

/** A stream to a vendor that needs a cap, of a caller who names none: its hold grows with what comes. */
const hasDefaultCap = (cell: Cell, { cap, otherCap, override: changed }: Variant): boolean =>
  cell.apiFormat === 'anthropic-messages' &&
  cell.clientRoute.apiFormat.id !== 'anthropic-messages' &&
  cell.stream &&
  (cap ?? undefined) === undefined &&
  (cell.clientRoute.apiFormat.id !== 'openai-chat' || otherCap === undefined) &&
  // The gateway keeps a cap that an override would delete.
  !JSON.stringify(changed ?? {})
    .replaceAll(/\{"mode":"delete"[^}]*\}/g, '')
    .includes('max_tokens');

/** Output the request allows the vendor as it was sent, by the test's own reading. */
function allowed(apiFormat: string, body: Record<string, unknown>, hasDefaultCap: boolean): number {
  const named = Math.max(0, ...(CAP_PLACES[apiFormat] ?? []).map((path) => readAt(body, path)));
  const cap = hasDefaultCap ? 0 : named;
  const choices = Math.max(1, ...MULTIPLIER_PLACES.map((path) => readAt(body, path)));
  return (cap === 0 ? ASSUMED_OUTPUT : cap) * choices;
}

describe('whatever callers, adapters and overrides ask for, and whatever vendors answer and report', () => {
  it('charges what came, holds what is sent, and believes a report up to what the request allows', async () => {
    let settled = 0;
    let overruns = 0;
    let bounded = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(CELLS.length - 1), variants, async (index, variant) => {
        const cell = CELLS[index] as Cell;
        const { ports, reply } = await play(cell, variant);
        const [exchange] = ports.sender.exchanges;
        const [call] = ports.quota.settled;
        expect(ports.quota.holds.size).toBe(0);
        if (exchange === undefined || call === undefined) {
          // Refused by us, or nothing of it reached the client.
          expect(reply.status).toBeGreaterThanOrEqual(400);
          return;
        }
        settled += 1;
        const held = ports.quota.heldInTheEnd[0] ?? 0;
        const { output, input } = call.usage;
        const made = output.total ?? 0;
        // Received output: the words, and everything else of the answer counted with them.
        if (call.evidence === 'counted' || call.evidence === 'estimated')
          expect(made).toBeGreaterThanOrEqual(variant.words);
        else if (call.evidence === 'bounded') {
          bounded += 1;
          expect(made).toBeGreaterThanOrEqual(variant.words);
          expect(made).toBeLessThan(variant.reported);
          expect(variant.reported).toBeGreaterThan(1_000);
        } else {
          expect(made).toBe(variant.reported);
          expect(made * 2 + 16).toBeGreaterThanOrEqual(variant.words);
        }
        expect(call.priced).toBe((input.total ?? 0) + 2 * made);
        // Sent output: the hold includes its prompt, which is more than nothing.
        const sent = allowed(cell.apiFormat, exchange.body, hasDefaultCap(cell, variant));
        expect(held).toBeGreaterThan(2 * sent);
        if (call.priced > held) {
          overruns += 1;
          expect(made > sent || (input.total ?? 0) > held - 2 * sent).toBe(true);
        }
      }),
      { numRuns: 3_000, seed: 20_261_125 },
    );
    expect(settled).toBeGreaterThan(1_500);
    expect(overruns).toBeGreaterThan(100);
    expect(bounded).toBeGreaterThan(100);
  });
});
