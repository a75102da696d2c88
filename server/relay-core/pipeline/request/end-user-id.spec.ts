import { describe, expect, it } from '@jest/globals';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import { endUserId } from './end-user-id.js';

const { gateway } = new MemoryPorts();

describe('endUserId', () => {
  it.each([
    ['x'.repeat(64), { max: 64 }],
    ['日'.repeat(64), { max: 64 }],
    ['abcdef', { max: 128, min: 6 }],
    ['a-b_1', { max: 512, isToken: true as const }],
  ])('keeps %s', (id, rules) => {
    expect(endUserId(id, rules, gateway)).toBe(id);
  });

  it.each([
    ['one that is too long', 'x'.repeat(65), { max: 64 }, 64],
    ['one that is too short', 'ab', { max: 128, min: 6 }, 64],
    ['one with letters that are refused', 'a@b', { max: 512, isToken: true as const }, 64],
    ['one for a vendor with a short bound', 'x'.repeat(33), { max: 32 }, 32],
  ])('replaces %s by its digest, the same each time', (_name, id, rules, length) => {
    const digest = endUserId(id, rules, gateway);
    expect(digest).toMatch(new RegExp(`^[0-9a-f]{${length}}$`));
    expect(endUserId(id, rules, gateway)).toBe(digest);
    expect(endUserId(`${id}!`, rules, gateway)).not.toBe(digest);
  });
});
