import { describe, expect, it } from '@jest/globals';
import { ByteText } from '../../../common/byte-text.js';
import { toQuota } from '../../../common/quota.js';
import type { Caller } from '../../../relay-core/model/call.js';
import type { PriceSnapshot } from '../../../relay-core/model/price-snapshot.js';
import {
  describeSettlement,
  type HoldPlace,
  ownerOf,
  type SettledCall,
  writeDispatch,
  writeHold,
} from './spool-documents.js';

const HOLD: HoldPlace = { kind: 'pool', userReservationId: 'r', tokenReservationId: null, amount: 10 };

const CALLER: Caller = {
  userId: 1,
  accountUid: 'account',
  username: 'ann',
  tokenId: 2,
  tokenUid: 'token',
  tokenName: 'key',
  tokenLimited: true,
  group: 'default',
  modelLimits: null,
  acceptsUnsetPrice: false,
  pinnedChannelId: null,
};

const SNAPSHOT: PriceSnapshot = {
  mode: 'call',
  model: 'm',
  group: 'default',
  price: '1',
  groupRatio: '1',
  quotaPerUnit: 500_000,
  revision: 1,
};

const CALL: SettledCall = {
  callId: 'call',
  caller: CALLER,
  shape: { operation: 'chat', model: 'm', stream: false },
  channelId: 3,
  upstreamModel: 'm',
  isModelMapped: false,
  usage: { input: { total: 5 }, output: { total: 7 } },
  evidence: 'reported',
  outcome: 'ok',
  snapshot: SNAPSHOT,
  priced: toQuota(12),
  startedAtMs: 0,
  firstByteMs: 1,
  durationMs: 1_999,
  attempts: [],
  path: '/v1/chat/completions',
  note: '',
};

const described = (change: Partial<SettledCall>) => describeSettlement({ ...CALL, ...change }, HOLD, 77);

const written = (write: (text: ByteText) => void): unknown => {
  const text = new ByteText(64);
  write(text);
  return JSON.parse(text.bytes.subarray(0, text.length).toString('utf8'));
};

describe('describeSettlement', () => {
  it('writes the caller, the cost and the duration in whole seconds of a call', () => {
    expect(described({})).toMatchObject({
      request_id: 'call',
      user_id: 1,
      token_id: 2,
      account_uid: 'account',
      token_uid: 'token',
      token_limited: 1,
      channel_id: 3,
      priced: 12,
      created_at_ms: 77,
      prompt_tokens: 5,
      completion_tokens: 7,
      use_time: 1,
      is_stream: 0,
      hold: HOLD,
    });
    expect(described({})).not.toHaveProperty('task');
  });

  it.each([[undefined], [-1], [1.5], [Number.NaN], [2 ** 53]])('counts %p tokens as none', (total) => {
    const { prompt_tokens, completion_tokens } = described({
      usage: { input: { total }, output: { total } },
    } as Partial<SettledCall>);
    expect([prompt_tokens, completion_tokens]).toEqual([0, 0]);
  });

  it('took no time where the clock went back', () => {
    expect(described({ durationMs: -5_000 }).use_time).toBe(0);
  });

  it('cuts texts to their columns, and leaves no half character at the cut', () => {
    const shape = { operation: 'chat', model: `${'m'.repeat(254)}🙂`, stream: true } as const;
    const caller = { ...CALLER, username: 'u'.repeat(65), tokenName: 'a\0b', group: '\udc00g' };
    const row = described({ shape, caller });
    expect(row.model).toBe(`${'m'.repeat(254)}\ufffd`);
    expect(row.username).toBe('u'.repeat(64));
    expect(row.token_name).toBe('ab');
    expect(row.group).toBe('\ufffdg');
  });
});

describe('writeHold', () => {
  it('writes the members of a hold, and nothing else of its object', () => {
    const hold = { ...HOLD, tokenReservationId: 't"\\', slice: 0, turn: 4, secret: 'x' };
    expect(written((text) => writeHold(text, hold))).toEqual({
      kind: 'pool',
      userReservationId: 'r',
      tokenReservationId: 't"\\',
      amount: 10,
      slice: 0,
      turn: 4,
    });
    expect(written((text) => writeHold(text, HOLD))).toEqual(HOLD);
  });
});

describe('writeDispatch', () => {
  it('names the caller by what recovery needs, without rights and limits', () => {
    const dispatch = {
      callId: 'call',
      channelId: 3,
      caller: { ...CALLER, username: 'a"\n漢🙂' },
      snapshot: SNAPSHOT,
      promptTokens: 9,
      startedAtMs: 1,
      hold: HOLD,
    };
    expect(written((text) => writeDispatch(text, dispatch))).toEqual({
      request_id: 'call',
      channel_id: 3,
      caller: {
        userId: 1,
        accountUid: 'account',
        username: 'a"\n漢🙂',
        tokenId: 2,
        tokenUid: 'token',
        tokenName: 'key',
        tokenLimited: true,
        group: 'default',
      },
      snapshot: SNAPSHOT,
      promptTokens: 9,
      startedAtMs: 1,
      hold: HOLD,
    });
  });
});

describe('ownerOf', () => {
  it('keeps what a version before did not know undefined', () => {
    const { accountUid: _account, tokenUid: _token, ...old } = CALLER;
    expect(ownerOf({ ...old, tokenId: null })).toEqual({
      user_id: 1,
      token_id: null,
      account_uid: undefined,
      token_uid: undefined,
    });
  });
});
