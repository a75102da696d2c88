import { describe, expect, it } from '@jest/globals';
import { FrameQueue } from './frame-queue.js';

/** Frames named `?…` are checked before those behind them are handled. */
function queued() {
  const handled: string[] = [];
  const answers: (() => void)[] = [];
  let free = 0;
  const queue = new FrameQueue({
    step: (bytes) => {
      const name = bytes.toString();
      handled.push(name);
      return name.startsWith('?') ? new Promise<void>((resolve) => answers.push(resolve)) : undefined;
    },
    onFree: () => (free += 1),
  });
  const answer = async () => {
    answers.shift()?.();
    await new Promise(setImmediate);
  };
  return {
    queue,
    handled,
    answer,
    take: (name: string) => queue.take(Buffer.from(name), true),
    freed: () => free,
  };
}

describe('FrameQueue', () => {
  it('handles frames at once while no check is running', () => {
    const { queue, handled, take, freed } = queued();
    take('a');
    take('b');
    expect([handled, queue.isHolding, freed()]).toEqual([['a', 'b'], false, 0]);
  });

  it('holds frames behind one that is being checked, in order', async () => {
    const { queue, handled, take, answer, freed } = queued();
    for (const name of ['?1', 'a', '?2', 'b']) take(name);
    expect([handled, queue.isHolding]).toEqual([['?1'], true]);
    await answer();
    expect([handled, queue.isHolding, freed()]).toEqual([['?1', 'a', '?2'], true, 0]);
    take('c');
    await answer();
    expect([handled, queue.isHolding, freed()]).toEqual([['?1', 'a', '?2', 'b', 'c'], false, 1]);
  });
});
