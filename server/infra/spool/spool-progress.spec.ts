import { describe, expect, it } from '@jest/globals';
import { SpoolProgress } from './spool-progress.js';

describe('SpoolProgress', () => {
  it('notifies its writer before a reader can see the records, so that their data is there', () => {
    const writer = new SpoolProgress();
    const reader = new SpoolProgress(writer.memory);
    const seen: object[] = [];
    writer.onPublish = () => seen.push(reader.read());
    writer.publish(1, 10);
    writer.publish(1, 25);
    writer.publish(2, 5);
    expect(seen.slice(1)).toEqual([
      { segment: 1, offsetBytes: 10 },
      { segment: 1, offsetBytes: 25 },
    ]);
    expect(reader.read()).toEqual({ segment: 2, offsetBytes: 5 });
  });

  it('wakes a reader that sleeps, once', () => {
    const writer = new SpoolProgress();
    const reader = new SpoolProgress(writer.memory);
    let woken = 0;
    writer.onWake = () => (woken += 1);
    writer.publish(1, 10);
    expect(woken).toBe(0);
    reader.fallAsleep();
    writer.publish(1, 20);
    writer.publish(1, 30);
    expect(woken).toBe(1);
  });
});
