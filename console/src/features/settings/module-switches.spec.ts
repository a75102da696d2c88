import { describe, expect, it } from '@jest/globals';
import { MODULE_SWITCHES, readModules } from './module-switches';

describe('readModules', () => {
  it('reads an empty text as no switch at all', () => {
    expect([readModules(''), readModules(' \n'), readModules('{"chat":{"enabled":false}}')]).toEqual([
      {},
      {},
      { chat: { enabled: false } },
    ]);
  });

  it.each(['[]', 'null', '1', '"{}"', '{', '{"a":1,}'])('takes %s for no document', (text) => {
    expect(readModules(text)).toBeUndefined();
  });
});

describe('a switch', () => {
  it('depends on none but those that stand before them', () => {
    for (const groups of Object.values(MODULE_SWITCHES)) {
      const known = new Set<string>();
      for (const { path, needs } of groups.flatMap(({ switches }) => switches)) {
        if (needs !== undefined) expect([...known]).toContain(needs.join('.'));
        expect([...known]).not.toContain(path.join('.'));
        known.add(path.join('.'));
      }
    }
  });
});
