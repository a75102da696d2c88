import { describe, expect, it } from '@jest/globals';
import { CHANNEL_LENGTHS } from '../state/channel.codes.js';
import { numberedName } from './numbered-name.js';

describe('numberedName', () => {
  it('gives several channels distinct names', () => {
    expect([0, 1, 2].map((index) => numberedName('Batch', index))).toEqual(['Batch', 'Batch 2', 'Batch 3']);
  });

  it('shortens a name that would become too long', () => {
    const name = numberedName('n'.repeat(CHANNEL_LENGTHS.name), 11);
    expect(name).toHaveLength(CHANNEL_LENGTHS.name);
    expect(name.endsWith('n 12')).toBe(true);
  });
});
