import { describe, expect, it } from '@jest/globals';
import { toQuota } from '../../../common/quota.js';
import { ByteText } from '../../../common/byte-text.js';
import type { FinishedCall } from '../../../relay-core/model/call.js';
import type { AcceptedTask } from '../../../relay-core/model/task.js';
import { SettlementReader, SpooledSettlement, toSettlement } from './settlement-text.js';
import { describeSettlement, type HoldPlace } from './spool-documents.js';

const NASTY = 'a "quoted" \\ line\n\u2028 \u0000 漢字 🙂 \ud800 end';

const HOLD: HoldPlace = {
  kind: 'pool',
  userReservationId: '01a1fec7-da8a-7382-bc54-c9ff39543e4d',
  tokenReservationId: null,
  amount: 1_500,
};

const CALL: FinishedCall = {
  callId: '01a1fec7-da8a-755e-b260-8dcc4a3b0382',
  caller: {
    userId: 12,
    username: NASTY,
    tokenId: 5,
    tokenName: NASTY,
    tokenLimited: true,
    group: NASTY,
    modelLimits: new Set(['x']),
    acceptsUnsetPrice: true,
    pinnedChannelId: 3,
  },
  shape: { operation: 'chat', model: NASTY, stream: true },
  channelId: 2,
  upstreamModel: NASTY,
  isModelMapped: true,
  isNative: false,
  usage: { input: { total: 150, cacheRead: 7 }, output: { total: 70, reasoning: 3 } },
  evidence: 'reported',
  outcome: 'partial',
  snapshot: {
    mode: 'call',
    model: NASTY,
    group: 'default',
    price: '0.5',
    groupRatio: '1',
    quotaPerUnit: 500_000,
    revision: 3,
  },
  priced: toQuota(543),
  startedAtMs: 1_700_000_000_000,
  firstByteMs: 13,
  durationMs: 1_400,
  attempts: [
    {
      channelId: 1,
      channelName: NASTY,
      startedAtMs: 1,
      endedAtMs: 2,
      failure: 'upstream-rate-limited',
      upstreamStatus: 429,
    },
    { channelId: 2, channelName: 'two', startedAtMs: 2.5, endedAtMs: 3 },
  ],
  path: '/v1/chat/completions',
  note: NASTY,
};

const TASK: AcceptedTask = {
  platform: 'midjourney',
  id: NASTY,
  action: 'IMAGINE',
  code: 21,
  description: NASTY,
  prompt: NASTY,
  state: NASTY,
  isFinished: true,
  imageUrl: NASTY,
  properties: '{"a":1}',
};

describe('the payload of a settlement', () => {
  it.each([
    ['everything', CALL],
    ['what was not passed on', { ...CALL, warnings: [{ setting: NASTY, reason: NASTY }] }],
    ['no first byte', { ...CALL, firstByteMs: undefined }],
    ['no token and no note', { ...CALL, caller: { ...CALL.caller, tokenId: null }, note: '' }],
    ['what is finished later', { ...CALL, task: TASK }],
    ['a picture', { ...CALL, shape: { ...CALL.shape, pictureTerms: NASTY } }],
    ['what it asked of thinking', { ...CALL, effort: 'high' }],
    ['no totals', { ...CALL, usage: { input: { total: undefined }, output: { total: undefined } } }],
  ])('reads back as it was written from: %s', (_, call) => {
    const expected = describeSettlement(call, HOLD, 1_700_000_001_000);
    const spooled = new SpooledSettlement(call, HOLD, 1_700_000_001_000);
    const text = new ByteText(16);
    spooled.writeTo(text);
    const payload = text.textFrom(0);
    expect(JSON.parse(payload)).toMatchObject({ request_id: call.callId, hold: HOLD });
    expect(toSettlement(JSON.parse(payload))).toEqual(expected);
    expect(new SettlementReader().read(text.bytes, 0, text.length)).toEqual(expected);
    expect(spooled.document).toEqual(expected);
    expect(JSON.parse(JSON.stringify(spooled))).toEqual({
      type: 'S',
      document: JSON.parse(JSON.stringify(expected)),
    });
  });

  it('holds the rows themselves when an earlier version wrote it', () => {
    const rows = describeSettlement(CALL, HOLD, 5);
    const bytes = Buffer.from(JSON.stringify(rows));
    expect(new SettlementReader().read(bytes, 0, bytes.length)).toEqual(rows);
  });

  it('reads back with its own prices, whatever came before it and stands around it', () => {
    const reader = new SettlementReader();
    const prices = ['0.5', '0.7', '1'].map(
      (price) => ({ ...CALL.snapshot, price }) as FinishedCall['snapshot'],
    );
    const text = new ByteText(16);
    const places = [0, 1, 0, 2, 1, 1].map((index) => {
      const call = { ...CALL, snapshot: prices[index] as FinishedCall['snapshot'] };
      const start = text.length;
      new SpooledSettlement(call, HOLD, 5).writeTo(text);
      return { start, end: text.length, expected: describeSettlement(call, HOLD, 5) };
    });
    const read = places.map(({ start, end }) => reader.read(text.bytes, start, end));
    expect(read).toEqual(places.map(({ expected }) => expected));
    // Not one of its own: the record in front of it is not looked into.
    const rows = Buffer.from(JSON.stringify(places[0]?.expected));
    const together = Buffer.concat([text.bytes.subarray(0, text.length), rows]);
    expect(reader.read(together, text.length, together.length)).toEqual(places[0]?.expected);
  });

  it('cannot be led astray by texts of the caller', () => {
    const note = ',"snapshot":"{}"}';
    const call = { ...CALL, note, shape: { ...CALL.shape, model: note }, path: note };
    const text = new ByteText(16);
    new SpooledSettlement(call, HOLD, 5).writeTo(text);
    const document = new SettlementReader().read(text.bytes, 0, text.length);
    expect(document).toEqual(describeSettlement(call, HOLD, 5));
    expect(document).toMatchObject({ model: note });
  });
});
