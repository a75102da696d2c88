import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import type { FailedCall } from '../../relay-core/ports/call-journal.js';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { AttemptRecorder } from '../channel-statistics/attempt-recorder.js';
import { StoredCallJournal } from './stored-call-journal.js';
import type { NewLogLine } from './insert-lines.js';
import type { LogsRepository } from './logs.repository.js';

const failed = (callId: string): FailedCall =>
  ({
    callId,
    caller: { userId: 1, username: 'a', tokenName: 't', tokenId: 2, group: 'default' },
    shape: { operation: 'chat', model: 'm', stream: false },
    error: { kind: 'unavailable', blame: 'gateway', message: 'busy' },
    status: 503,
    startedAtMs: 1_000,
    durationMs: 1,
    attempts: [],
    path: '/v1/chat/completions',
  }) as unknown as FailedCall;

const NO_RECORDER = { write: () => Promise.resolve() } as unknown as AttemptRecorder;

describe('the journal of failed calls', () => {
  it('writes what waited and leaves what fails meanwhile for the next time', async () => {
    const clock = new FakeClock();
    const written: (string | null)[] = [];
    let meanwhile = 0;
    const logs = {
      insertMany: async (lines: readonly NewLogLine[]) => {
        written.push(...lines.map(({ requestId }) => requestId));
        // A call fails for each line that is written: a gateway whose database cannot keep up.
        for (const _line of lines) journal.recordFailure(failed(`meanwhile-${(meanwhile += 1)}`));
      },
    } as unknown as LogsRepository;
    const journal = new StoredCallJournal(logs, clock, { errorLogEnabled: true } as never, NO_RECORDER);
    for (let index = 0; index < 250; index += 1) journal.recordFailure(failed(`call-${index}`));
    await journal.flush();
    expect(written).toEqual(Array.from({ length: 250 }, (_, index) => `call-${index}`));
    clock.advance(500);
    await journal.flush();
    expect(written.length).toBeGreaterThanOrEqual(500);
    expect(new Set(written).size).toBe(written.length);
  });

  const journalOn = (insertMany: (lines: readonly NewLogLine[]) => Promise<void>): StoredCallJournal =>
    new StoredCallJournal(
      { insertMany } as never,
      new FakeClock(),
      { errorLogEnabled: true } as never,
      NO_RECORDER,
    );

  it('names the tokens that vendors bill for replies without content, by attempt for operators', async () => {
    const written: NewLogLine[] = [];
    const journal = journalOn(async (lines) => void written.push(...lines));
    const attempt = {
      channelName: 'c',
      startedAtMs: 1,
      endedAtMs: 2,
      failure: 'upstream-malformed',
    } as const;
    journal.recordFailure({
      ...failed('call'),
      attempts: [
        { ...attempt, channelId: 7, billedUsage: { input: { total: 171 }, output: { total: 0 } } },
        { ...attempt, channelId: 7, billedUsage: { input: { total: 171 }, output: { total: 3 } } },
        { ...attempt, channelId: 8, billedUsage: { input: { total: 5 }, output: { total: 0 } } },
        { ...attempt, channelId: 9 },
      ],
    });
    journal.recordFailure(failed('other'));
    await journal.flush();
    expect(JSON.parse(written[0]?.other ?? '')).toMatchObject({
      upstream_usage: { prompt_tokens: 347, completion_tokens: 3 },
      admin_info: {
        attempts: [
          { channel_id: 7, upstream_usage: { prompt_tokens: 171, completion_tokens: 0 } },
          { channel_id: 7, upstream_usage: { prompt_tokens: 171, completion_tokens: 3 } },
          { channel_id: 8, upstream_usage: { prompt_tokens: 5, completion_tokens: 0 } },
          { channel_id: 9 },
        ],
      },
    });
    expect(written[0]).toMatchObject({ quota: 0, promptTokens: 0 });
    expect(written[1]?.other).not.toMatch(/upstream_usage/);
  });

  it('makes names and sentences storable in every database', async () => {
    const written: NewLogLine[] = [];
    const journal = journalOn(async (lines) => void written.push(...lines));
    const call = failed('call');
    const model = 'no\0such\ud800';
    const error = { kind: 'model-not-found', blame: 'caller', message: `no model ${model}` } as never;
    journal.recordFailure({ ...call, shape: { ...call.shape, model }, error });
    journal.recordFailure({ ...call, shape: { ...call.shape, model: `${'m'.repeat(254)}🙂` } });
    await journal.flush();
    expect(written[0]).toMatchObject({ modelName: 'nosuch\ufffd', content: 'no model nosuch\ufffd' });
    expect(written[1]?.modelName).toBe(`${'m'.repeat(254)}\ufffd`);
    expect(JSON.stringify(written)).not.toMatch(/\\u0000|\\ud8/);
  });

  it('writes a batch row by row when the database rejects one of its lines, and loses that one only', async () => {
    const written: (string | null)[] = [];
    const journal = journalOn(async (lines) => {
      if (lines.some(({ requestId }) => requestId === 'call-7'))
        throw Object.assign(new Error('invalid byte sequence'), { code: '22021' });
      written.push(...lines.map(({ requestId }) => requestId));
    });
    for (let index = 0; index < 20; index += 1) journal.recordFailure(failed(`call-${index}`));
    await journal.flush();
    const others = Array.from({ length: 20 }, (_, index) => `call-${index}`).filter((id) => id !== 'call-7');
    expect(written).toEqual(others);
  });

  it('asks a database that is away once for a batch', async () => {
    let statements = 0;
    const journal = journalOn(async () => {
      statements += 1;
      throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    });
    for (let index = 0; index < 20; index += 1) journal.recordFailure(failed(`call-${index}`));
    await journal.flush();
    expect(statements).toBe(1);
  });

  const KEYS = [
    'sk-abcdefghijklmnop0123456789',
    'sk-ant-api03-abcdefghijklmnop',
    'AIzaSyA0123456789abcdefghijklmn',
    'gsk_abcdefghijklmnop0123',
    'ghp_abcdefghijklmnop0123',
    'hf_abcdefghijklmnop0123',
    'xai-abcdefghijklmnop0123',
    'AKIAIOSFODNN7EXAMPLE',
    'Bearer abcdefghijklmnop0123',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'f3a9c1d2e4b5a69788776655443322aa',
    '9c1d2e4b5a6978877665544332211f3a.AbCdEfGh12345678',
    'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7cD',
  ];

  it.each(KEYS)('stores nothing of %s, wherever in the call a caller or a vendor put it', async (key) => {
    const written: NewLogLine[] = [];
    const logs = {
      insertMany: async (lines: readonly NewLogLine[]) => void written.push(...lines),
    } as unknown as LogsRepository;
    const journal = new StoredCallJournal(
      logs,
      new FakeClock(),
      { errorLogEnabled: true } as never,
      NO_RECORDER,
    );
    const call = failed('call');
    const message = `There is no model ${key}.`;
    const vendorSays = { sentence: `It knows no ${key}.` };
    const errors: readonly RelayError[] = [
      { kind: 'invalid-request', blame: 'caller', message },
      {
        kind: 'upstream-overloaded',
        blame: 'upstream',
        message,
        vendorType: key,
        vendorCode: key,
        vendorSays,
      },
    ];
    for (const error of errors) {
      const path = `/v1beta/models/${key}:generateContent`;
      journal.recordFailure({ ...call, shape: { ...call.shape, model: key }, path, error });
    }
    await journal.flush();
    expect(written).toHaveLength(2);
    expect(written[1]?.other).toContain('It knows no');
    const secret = key.replace('Bearer ', '');
    for (const line of written) {
      expect(JSON.stringify(line)).not.toContain(secret);
      expect(line.content).toMatch(/^There is no model .*\*\*\*/);
      expect(line.modelName).toContain('***');
    }
  });

  it('stores a refusal as a code and values, with the attempts and milliseconds of the call', async () => {
    const written: NewLogLine[] = [];
    const journal = journalOn(async (lines) => void written.push(...lines));
    const error = refusal('no-channel', { model: 'm', group: 'default' });
    const attempts = [
      {
        channelId: 4,
        channelName: 'first',
        startedAtMs: 10.4,
        endedAtMs: 90.2,
        failure: 'upstream-key-refused',
        upstreamStatus: 401,
      },
    ] as const;
    journal.recordFailure({ ...failed('call'), error, durationMs: 812.4, attempts });
    journal.recordFailure({ ...failed('other'), error: { ...error, message: 'in the words of a vendor' } });
    await journal.flush();
    expect(JSON.parse(written[0]?.other ?? '')).toMatchObject({
      refusal: { code: 'no-channel', values: { model: 'm', group: 'default' } },
      duration_ms: 812,
      admin_info: {
        attempts: [
          {
            channel_id: 4,
            started_at_ms: 10,
            ended_at_ms: 90,
            failure: 'upstream-key-refused',
            upstream_status: 401,
          },
        ],
      },
    });
    expect(JSON.parse(written[1]?.other ?? '')).not.toHaveProperty('refusal');
  });

  it('stores ordinary names and paths as they are', async () => {
    const written: NewLogLine[] = [];
    const logs = {
      insertMany: async (lines: readonly NewLogLine[]) => void written.push(...lines),
    } as unknown as LogsRepository;
    const journal = new StoredCallJournal(
      logs,
      new FakeClock(),
      { errorLogEnabled: true } as never,
      NO_RECORDER,
    );
    const model = 'deepseek-ai/DeepSeek-V3.1:free';
    journal.recordFailure({ ...failed('call'), shape: { ...failed('call').shape, model } });
    await journal.flush();
    expect(written[0]).toMatchObject({ modelName: model, content: 'busy' });
    expect(written[0]?.other).toContain('"request_path":"/v1/chat/completions"');
  });

  it.each([
    'claude-sonnet-4-5-20250929-thinking-high',
    'ft:gpt-4o-mini-2024-07-18:my-organisation::AbCd1234',
    'accounts/fireworks/models/llama-v3p1-405b-instruct-long',
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/abcdef123456',
    '0190f3a9-c1d2-7e4b-a5a6-978877665544',
  ])('keeps %s, which is a name', async (model) => {
    const written: NewLogLine[] = [];
    const logs = {
      insertMany: async (lines: readonly NewLogLine[]) => void written.push(...lines),
    } as unknown as LogsRepository;
    const journal = new StoredCallJournal(
      logs,
      new FakeClock(),
      { errorLogEnabled: true } as never,
      NO_RECORDER,
    );
    const call = failed('call');
    journal.recordFailure({ ...call, shape: { ...call.shape, model } });
    await journal.flush();
    expect(written[0]?.modelName).toBe(model);
  });
});
