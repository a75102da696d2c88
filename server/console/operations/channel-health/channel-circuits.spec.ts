import { describe, expect, it } from '@jest/globals';
import { mergeCircuits } from './channel-circuits.js';

const rest = (parts: object) => ({ channelId: 1, model: '', sinceMs: 10, untilMs: 50, keys: [], ...parts });

describe('open circuits of all workers', () => {
  it('joins the reports of all workers on one channel: open since the first, tried again by the first', () => {
    const merged = mergeCircuits([
      { restingChannels: [rest({ sinceMs: 20, untilMs: 40, keys: [2] }), rest({ channelId: 9 })] },
      { restingChannels: [rest({ keys: [0, 2] }), rest({ model: 'm', untilMs: null })] },
    ]);
    expect(merged).toEqual([
      { channelId: 1, model: '', sinceMs: 10, untilMs: 40, keys: [0, 2], workers: 2 },
      { channelId: 1, model: 'm', sinceMs: 10, untilMs: null, keys: [], workers: 1 },
      { channelId: 9, model: '', sinceMs: 10, untilMs: 50, keys: [], workers: 1 },
    ]);
  });
});
