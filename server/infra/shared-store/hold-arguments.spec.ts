import { describe, expect, it } from '@jest/globals';
import { HoldArguments } from './hold-arguments.js';
import { encodeParts } from './script-command.js';
import type { HoldRequest } from './shared-store.js';

const NAMES = {
  poolKey: ({ userId, tokenId }: { readonly userId: number; readonly tokenId: number | null }) =>
    `pool:${userId}:${tokenId ?? '-'}`,
  registryKey: (userId: number) => `holds:${userId}`,
  windowKey: (key: string) => `window:${key}`,
};

const aRequest = (changes: Partial<HoldRequest> = {}): HoldRequest => ({
  callId: 'call',
  userId: 7,
  tokenId: 9,
  amount: 100,
  owner: 'worker-1',
  promptEstimate: 1,
  windows: [],
  ...changes,
});

describe('HoldArguments', () => {
  it('writes the pool of a limited token behind that of its account', () => {
    expect(new HoldArguments(NAMES).ofCaller(aRequest())).toEqual({
      firstKey: 'pool:7:-',
      keys: encodeParts(['pool:7:-', 'holds:7', 'pool:7:9']),
      args: encodeParts([9, 'worker-1']),
      owner: 'worker-1',
    });
  });

  it('names the pool of the account twice for a token without a limit', () => {
    expect(new HoldArguments(NAMES).ofCaller(aRequest({ tokenId: null }))).toMatchObject({
      keys: encodeParts(['pool:7:-', 'holds:7', 'pool:7:-']),
      args: encodeParts(['', 'worker-1']),
    });
  });

  it('keeps the text of a caller apart by account, by token and by worker', () => {
    const texts = new HoldArguments(NAMES);
    const first = texts.ofCaller(aRequest());
    expect(texts.ofCaller(aRequest({ callId: 'other', amount: 5 }))).toBe(first);
    expect(texts.ofCaller(aRequest({ tokenId: null })).args).toEqual(encodeParts(['', 'worker-1']));
    expect(texts.ofCaller(aRequest({ userId: 8 })).firstKey).toBe('pool:8:-');
    expect(texts.ofCaller(aRequest({ owner: 'worker-2' })).args).toEqual(encodeParts([9, 'worker-2']));
    expect(texts.ofCaller(aRequest()).args).toEqual(encodeParts([9, 'worker-1']));
  });

  it('forgets all of them once there are ten thousand, and writes them again', () => {
    const texts = new HoldArguments(NAMES);
    const first = texts.ofCaller(aRequest({ userId: 1 }));
    for (let userId = 2; userId <= 10_000; userId += 1) texts.ofCaller(aRequest({ userId }));
    expect(texts.ofCaller(aRequest({ userId: 1 }))).toBe(first);
    texts.ofCaller(aRequest({ userId: 10_001 }));
    const again = texts.ofCaller(aRequest({ userId: 1 }));
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });

  it('writes the number of windows, then limit, length and mode of each', () => {
    const texts = new HoldArguments(NAMES);
    const windows: HoldRequest['windows'] = [
      { key: 'a', limit: 3, windowMs: 60_000, mode: 'count' },
      { key: 'b', limit: 0, windowMs: 1_000, mode: 'peek' },
    ];
    expect(texts.ofWindows(windows)).toEqual({
      keys: encodeParts(['window:a', 'window:b']),
      args: encodeParts([2, 3, 60_000, 'count', 0, 1_000, 'peek']),
    });
    expect(texts.ofWindows(windows)).toBe(texts.ofWindows(windows));
    expect(texts.ofWindows([])).toEqual({ keys: encodeParts([]), args: encodeParts([0]) });
  });
});
