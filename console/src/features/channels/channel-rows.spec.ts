import { describe, expect, it } from '@jest/globals';
import { aChannel } from '../../testing/builders';
import { channelRows, modelsOf, sharedFigure } from './channel-rows';

const channels = [
  aChannel({ id: 1, tag: 'spare', models: 'a,b', priority: 0 }),
  aChannel({ id: 2, tag: '', models: 'c', priority: 5 }),
  aChannel({ id: 3, tag: 'spare', models: 'b, d', priority: 0 }),
];
const idsOf = (tagMode: boolean, open: readonly string[]) =>
  channelRows(channels, tagMode, new Set(open)).map(({ id }) => id);

describe('channelRows', () => {
  it('lists channels as they come, or below the first place of their tag', () => {
    expect(idsOf(false, ['spare'])).toEqual(['1', '2', '3']);
    expect(idsOf(true, [])).toEqual(['tag-spare', '2']);
    expect(idsOf(true, ['spare', 'gone'])).toEqual(['tag-spare', '1', '3', '2']);
    expect(channelRows([], true, new Set())).toEqual([]);
  });

  it('distinguishes channels under a tag from those without one', () => {
    const under = channelRows(channels, true, new Set(['spare'])).map(
      (row) => row.kind === 'channel' && row.underTag,
    );
    expect(under).toEqual([false, true, true, false]);
  });
});

describe('what the channels of a tag share', () => {
  it('counts as a figure where all of them have it, 0 included', () => {
    const [first, second, third] = channels;
    if (first === undefined || second === undefined || third === undefined) throw new Error('three channels');
    expect(sharedFigure([first, third], ({ priority }) => priority)).toBe(0);
    expect(sharedFigure([first, second], ({ priority }) => priority)).toBeUndefined();
    expect(sharedFigure([], ({ priority }) => priority)).toBeUndefined();
  });

  it('names every model once', () => {
    expect(channelRows(channels, true, new Set()).map(modelsOf)).toEqual([['a', 'b', 'd'], ['c']]);
  });
});
