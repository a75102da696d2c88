import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { SettlementEntity } from '../../../../server/base/billing/ledger/settlement.entity.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { RelayClient } from '../../../support/relay-client.js';

const CALLS = 240;
const AT_ONCE = 8;
/** Less than the prompt is taken for: what is read must not pass for an overrun. */
const PROMPT = 2;
const BALANCE = 100_000_000;
const VENDORS = { openai: 1, anthropic: 14 } as const;
const PATHS = ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1beta/models'] as const;

interface Case {
  readonly path: (typeof PATHS)[number];
  readonly vendor: keyof typeof VENDORS;
  readonly stream: boolean;
  readonly cap: number | undefined;
  readonly n: number | undefined;
  readonly words: number;
  readonly reported: number;
  /** Side that breaks off a stream, and the number of words before. */
  readonly cut: { readonly by: 'vendor' | 'client'; readonly after: number } | undefined;
  readonly isPoor: boolean;
}
const size = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 3_000 }));
const cases: fc.Arbitrary<Case> = fc.record({
  path: fc.constantFrom(...PATHS),
  vendor: fc.constantFrom('openai', 'anthropic'),
  stream: fc.boolean(),
  cap: fc.option(size, { nil: undefined }),
  n: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  words: size,
  reported: size,
  cut: fc.option(
    fc.record({ by: fc.constantFrom('vendor', 'client'), after: fc.integer({ min: 1, max: 200 }) }),
    { nil: undefined },
  ),
  isPoor: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
});

const modelOf = ({ vendor }: Case): string => `random-${vendor}`;
function requestOf(one: Case, index: number): { path: string; body: object } {
  const model = modelOf(one);
  const { stream, cap, n } = one;
  const text = `case ${index}.`;
  const messages = [{ role: 'user', content: text }];
  switch (one.path) {
    case '/v1/chat/completions':
      return { path: one.path, body: { model, stream, messages, max_tokens: cap, n } };
    case '/v1/messages':
      return { path: one.path, body: { model, stream, messages, max_tokens: cap ?? 50 } };
    case '/v1/responses':
      return { path: one.path, body: { model, stream, input: text, max_output_tokens: cap } };
    case '/v1beta/models':
      return {
        path: `${one.path}/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
        body: { contents: [{ role: 'user', parts: [{ text }] }], generationConfig: { maxOutputTokens: cap } },
      };
  }
}

const data = (document: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(document)}\n\n`;
const chatHead = { id: 'c', created: 1, model: 'm' };
const chatUsage = (made: number) => ({
  prompt_tokens: PROMPT,
  completion_tokens: made,
  total_tokens: PROMPT + made,
});
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' };

/** A vendor's answer per case: before the words, with each of them, behind them; and as a whole. */
const SPEECH = {
  openai: ({ words, reported }: Case) => ({
    whole: {
      ...chatHead,
      object: 'chat.completion',
      usage: chatUsage(reported),
      choices: [
        { index: 0, message: { role: 'assistant', content: 'word '.repeat(words) }, finish_reason: 'stop' },
      ],
    },
    begin: '',
    piece: data({
      ...chatHead,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant', content: 'word ' }, finish_reason: null }],
    }),
    end:
      data({
        ...chatHead,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
      }) +
      data({ ...chatHead, object: 'chat.completion.chunk', choices: [], usage: chatUsage(reported) }) +
      'data: [DONE]\n\n',
  }),
  anthropic: ({ words, reported }: Case) => ({
    whole: {
      ...message,
      content: [{ type: 'text', text: 'word '.repeat(words) }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: PROMPT, output_tokens: reported },
    },
    begin:
      data(
        {
          type: 'message_start',
          message: {
            ...message,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: PROMPT, output_tokens: 1 },
          },
        },
        'message_start',
      ) +
      data(
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        'content_block_start',
      ),
    piece: data(
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word ' } },
      'content_block_delta',
    ),
    end:
      data({ type: 'content_block_stop', index: 0 }, 'content_block_stop') +
      data(
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: reported },
        },
        'message_delta',
      ) +
      data({ type: 'message_stop' }, 'message_stop'),
  }),
};

/** Streams of responses say everything again at their end. */
const wordsIn = (text: string): number => {
  const deltas = text.split('\n').filter((line) => line.includes('"response.output_text.delta"'));
  return ((deltas.length === 0 ? text : deltas.join('\n')).match(/word /g) ?? []).length;
};

describe('random calls through a running gateway', () => {
  const played = fc.sample(cases, { numRuns: CALLS, seed: 20_261_125 });
  /** Words the vendor sent per case. */
  const delivered = new Map<number, number>();
  let vendor: Server;
  let app: TestApp;
  let root: GatewayConsole;

  async function speak(response: ServerResponse, index: number, isStream: boolean): Promise<void> {
    const one = played[index] as Case;
    const { whole, begin, piece, end } = SPEECH[one.vendor](one);
    if (!isStream) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(whole));
      delivered.set(index, one.words);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(begin);
    for (let word = 1; word <= one.words && !response.destroyed; word += 1) {
      delivered.set(index, word);
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      if (one.cut?.by === 'vendor' && word >= one.cut.after) {
        // Written bytes leave before the connection is cut.
        response.write('\n', () => response.destroy());
        return;
      }
    }
    response.end(end);
  }

  beforeAll(async () => {
    vendor = createServer((request, response) => {
      response.on('error', () => undefined);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const index = Number(/case (\d+)\./.exec(text)?.[1]);
        speak(response, index, text.includes('"stream":true')).catch(() => response.destroy());
      });
    });
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
    app = await startTestApp();
    root = new GatewayConsole(app.url);
    await root.setUp();
    const models = Object.keys(VENDORS).map((name) => `random-${name}`);
    const all = (value: number) => Object.fromEntries(models.map((name) => [name, value]));
    await root.setOptions({ ModelRatio: all(1), CompletionRatio: all(2), RetryTimes: 0 });
    const { port } = vendor.address() as AddressInfo;
    for (const [name, type] of Object.entries(VENDORS))
      await root.addChannel({
        type,
        base_url: `http://127.0.0.1:${port}`,
        models: [`random-${name}`],
        auto_ban: 0,
      });
  });
  afterAll(async () => {
    await app?.close();
    vendor.closeAllConnections();
    vendor.close();
  });

  interface Outcome {
    readonly status: number;
    readonly id: string;
    /** Words the client has read. */
    readonly words: number;
  }

  async function ask(client: RelayClient, index: number): Promise<Outcome> {
    const one = played[index] as Case;
    const { request } = client.open(requestOf(one, index));
    const [response] = await once(request, 'response');
    let text = '';
    response.on('error', () => undefined);
    try {
      for await (const chunk of response) {
        text += String(chunk);
        if (one.stream && one.cut?.by === 'client' && wordsIn(text) >= one.cut.after) request.destroy();
      }
    } catch {
      // Broken off by one of both sides: what came is what counts.
    }
    return {
      status: response.statusCode ?? 0,
      id: String(response.headers['x-request-id']),
      words: wordsIn(text),
    };
  }

  it('charges at least what each client received, at most what its vendor stands for, and holds it first', async () => {
    const rich = await root.addUser('rich', BALANCE);
    const poor = await root.addUser('poor', 3_000);
    const owners = { rich, poor };
    const clients = {
      rich: new RelayClient(app.url, (await rich.addToken()).key),
      poor: new RelayClient(app.url, (await poor.addToken()).key),
    };
    const outcomes: Outcome[] = [];
    let next = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < played.length) {
          const index = next;
          next += 1;
          outcomes[index] = await ask(clients[played[index]?.isPoor === true ? 'poor' : 'rich'], index);
        }
      }),
    );
    Object.values(clients).forEach((client) => client.close());

    const settlements = app.dataSource.getRepository(SettlementEntity);
    const served = outcomes.filter(({ status, words }) => status === 200 && words > 0).length;
    await root.waitFor(
      () => settlements.count(),
      (count) => count >= served,
    );
    const rows = new Map((await settlements.find()).map((row) => [row.requestId, row]));
    const logged = await app.dataSource.query<{ request_id: string; content: string; quota: number }[]>(
      'SELECT request_id, content, quota FROM logs WHERE type = 2',
    );
    const lines = new Map(logged.map((line) => [line.request_id, line]));
    const spent = { rich: 0, poor: 0 };
    const seen = { reported: 0, counted: 0, overruns: 0, partial: 0 };
    outcomes.forEach(({ status, id, words }, index) => {
      const one = played[index] as Case;
      const who = one.isPoor ? 'poor' : 'rich';
      const row = rows.get(id);
      if (status !== 200 || words === 0) {
        // Refused by us, or its vendor left before a word: nothing of it is charged.
        if (status !== 200) expect([index, row]).toEqual([index, undefined]);
        return;
      }
      const what = `call ${index}: ${JSON.stringify({ ...one, words, row })}`;
      if (row === undefined) throw new Error(`not booked: ${what}`);
      const { input, output } = JSON.parse(row.usage) as {
        input: { total: number };
        output: { total: number };
      };
      const priced = row.charged + row.writeoff;
      if (priced !== input.total + 2 * output.total) throw new Error(`wrong price: ${what}`);
      // A report is believed down to half of the answer, and as long as the answer has six bytes a token at most; else every word counts.
      const isUsual = words * 'word '.length <= (one.reported + 16) * 6;
      const believed = isUsual ? 0 : Math.floor((words - 16) / 2);
      const least = row.evidence === 'reported' ? believed : words;
      if (output.total < least) throw new Error(`words for nothing: ${what}`);
      if (row.evidence === 'reported' && output.total !== one.reported && one.cut === undefined)
        throw new Error(`not what was reported: ${what}`);
      const allowed = (one.cap ?? 500) * (one.path === '/v1/chat/completions' ? (one.n ?? 1) : 1);
      // A report above its bound is charged up to the cap that was sent.
      const most = Math.max(2 * (delivered.get(index) ?? 0) + 16, row.evidence === 'bounded' ? allowed : 0);
      if (row.evidence !== 'reported' && output.total > most) throw new Error(`more than was made: ${what}`);
      // An account with money pays all of it.
      if (who === 'rich' && row.writeoff !== 0) throw new Error(`written off: ${what}`);
      const line = lines.get(id);
      if (line?.quota !== row.charged) throw new Error(`another sum in the log: ${what}`);
      // More than was held only if the vendor exceeded its cap, and then it is logged.
      const held = /(\d+) quota more than was set aside/.exec(line.content);
      if (held !== null && output.total <= allowed && one.cap !== undefined)
        throw new Error(`held too little: ${what} ${line.content}`);
      const isBeyond = one.cap !== undefined && !one.stream && output.total > 16 + 4 * Math.max(allowed, 16);
      if (isBeyond && one.path !== '/v1/messages' && held === null)
        throw new Error(`an overrun that nobody is told of: ${what}`);
      spent[who] += row.charged;
      seen[row.evidence === 'reported' ? 'reported' : 'counted'] += 1;
      if (held !== null) seen.overruns += 1;
      if (row.outcome !== 'ok') seen.partial += 1;
    });
    for (const [who, given] of [
      ['rich', BALANCE],
      ['poor', 3_000],
    ] as const) {
      const balance = await owners[who].balance();
      expect(balance).toBeGreaterThanOrEqual(0);
      const others = [...rows.values()].filter(
        ({ requestId }) => !outcomes.some(({ id, words }) => id === requestId && words > 0),
      );
      expect([who, given - balance >= spent[who]]).toEqual([who, true]);
      if (others.length === 0) expect([who, given - balance]).toEqual([who, spent[who]]);
    }
    expect(await checkMoney(app.dataSource, { isQuiet: true, hasAllLogs: true })).toEqual([]);
    for (const [name, count] of Object.entries(seen)) expect([name, count >= 10]).toEqual([name, true]);
  });
});
