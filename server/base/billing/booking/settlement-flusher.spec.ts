import { describe, expect, it } from '@jest/globals';
import { SettlementFlusher } from './settlement-flusher.js';

class Waiting extends SettlementFlusher {
  override backlog = 0;
  override readonly oldestSettledAtMs = undefined;
  override enqueue(): void {
    this.backlog += 1;
  }
  override drain(): Promise<boolean> {
    return Promise.resolve(false);
  }
  override stop(): Promise<void> {
    return Promise.resolve();
  }
}

describe('charges that come faster than they are booked [F-64]', () => {
  const flusher = new Waiting();
  const at = (backlog: number): readonly [number, boolean] => {
    flusher.backlog = backlog;
    return [flusher.pauseMs, flusher.isBacklogged];
  };

  it('slows no call down while they are few', () => {
    expect(at(0)).toEqual([0, false]);
    expect(at(20_000)).toEqual([0, false]);
  });

  it('slows new calls down the more, the more there are, and then refuses them', () => {
    expect(at(20_001)).toEqual([1, false]);
    expect(at(35_000)).toEqual([125, false]);
    expect(at(49_999)).toEqual([250, false]);
    expect(at(50_000)).toEqual([250, true]);
  });
});
