import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { NameLookups } from './name-lookups.js';

/** Look-ups that the test ends. */
function someLookups() {
  const clock = new FakeClock();
  const asked: string[] = [];
  const ends = new Map<string, (addresses: readonly string[]) => void>();
  const resolve = (name: string): Promise<readonly string[]> => {
    asked.push(name);
    return new Promise((end) => ends.set(name, end));
  };
  const names = new NameLookups(resolve, clock);
  return { clock, asked, names, end: (name: string, ...addresses: string[]) => ends.get(name)?.(addresses) };
}
const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

describe('NameLookups', () => {
  it('looks a name up once a minute, whatever the answer', async () => {
    const { names, asked, end, clock } = someLookups();
    const first = Promise.all([names.lookUp('a'), names.lookUp('a')]);
    end('a', '10.0.0.5');
    expect(await first).toEqual([['10.0.0.5'], ['10.0.0.5']]);
    clock.advance(59_999);
    expect(await names.lookUp('a')).toEqual(['10.0.0.5']);
    expect(asked).toEqual(['a']);
    clock.advance(1);
    const again = names.lookUp('a');
    end('a');
    expect(await again).toEqual([]);
    expect(asked).toEqual(['a', 'a']);
  });

  it('waits two seconds at most, and keeps the late answer', async () => {
    const { names, end, clock } = someLookups();
    const late = names.lookUp('a');
    clock.advance(2_000);
    expect(await late).toEqual([]);
    end('a', '10.0.0.5');
    expect(await names.lookUp('a')).toEqual(['10.0.0.5']);
  });

  it('runs two look-ups at once, the next when one has ended', async () => {
    const { names, asked, end } = someLookups();
    const all = ['a', 'b', 'c'].map((name) => names.lookUp(name));
    await turn();
    expect(asked).toEqual(['a', 'b']);
    end('a');
    await all[0];
    await turn();
    expect(asked).toEqual(['a', 'b', 'c']);
    end('b');
    end('c', '8.8.8.8');
    expect(await Promise.all(all)).toEqual([[], [], ['8.8.8.8']]);
  });

  it('has no answer for more than 200 that wait', async () => {
    const { names, asked } = someLookups();
    for (let index = 0; index < 202; index += 1) void names.lookUp(`n${index}`);
    expect(await names.lookUp('one-more')).toEqual([]);
    expect(asked).toHaveLength(2);
  });
});
