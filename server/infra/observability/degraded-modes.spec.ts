import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { type ActiveDegradedMode, DegradedModes } from './degraded-modes.js';

function open(): { clock: FakeClock; modes: DegradedModes; heard: (ActiveDegradedMode | null)[] } {
  const clock = new FakeClock(1_000);
  const modes = new DegradedModes(clock);
  const heard: (ActiveDegradedMode | null)[] = [];
  modes.on((_mode, change) => heard.push(change));
  return { clock, modes, heard };
}

describe('degraded modes', () => {
  it('reports a beginning and an end once, and keeps the time while the cause changes', () => {
    const { clock, modes, heard } = open();
    modes.set('database-away', 'connection refused');
    clock.advance(500);
    modes.set('database-away', 'no answer');
    modes.set('database-away', 'no answer');
    expect(modes.list()).toEqual([{ mode: 'database-away', sinceMs: 1_000, cause: 'no answer' }]);
    modes.set('database-away', null);
    modes.set('database-away', null);
    expect(modes.list()).toEqual([]);
    expect(heard).toEqual([{ mode: 'database-away', sinceMs: 1_000, cause: 'connection refused' }, null]);
  });

  it('lists several, oldest first', () => {
    const { clock, modes } = open();
    modes.set('spool-full', 'no space');
    clock.advance(1);
    modes.set('shared-store-away', 'gone');
    expect(modes.list().map(({ mode }) => mode)).toEqual(['spool-full', 'shared-store-away']);
    expect(modes.has('spool-full')).toBe(true);
    expect(modes.has('database-away')).toBe(false);
  });

  it('continues when a listener fails', () => {
    const { modes, heard } = open();
    modes.on(() => {
      throw new Error('broken');
    });
    modes.set('spool-full', 'no space');
    modes.set('spool-full', null);
    expect(heard).toHaveLength(2);
  });
});
