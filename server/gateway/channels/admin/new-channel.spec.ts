import { describe, expect, it } from '@jest/globals';
import { channelRow } from '../../../../test/support/stored-rows.js';
import type { ChannelRow } from '../state/channels.repository.js';
import { columnsOf, EMPTY, findCopied } from './new-channel.js';

const row = (changes: Partial<ChannelRow>): ChannelRow => channelRow({ models: 'gpt-4o', ...changes });
const wanted = (name: string) => ({ ...EMPTY, models: 'gpt-4o', name });

describe('findCopied', () => {
  it('finds the channel whose name the copy begins with and whose other columns are alike', () => {
    expect(findCopied([row({}), row({ id: 2, name: 'other' })], wanted('main_copy'))).toBe(1);
  });

  it.each<[string, ChannelRow[], string]>([
    ['whose name is not longer', [row({})], 'main'],
    ['that differs in a column', [row({ priority: 3 })], 'main_copy'],
    ['of a channel with several keys', [row({ channelInfo: '{"keys":2}' })], 'main_copy'],
    ['that two channels are alike to', [row({}), row({ id: 2 })], 'main_copy'],
    ['of no channel', [], 'main_copy'],
  ])('finds none for a copy %s', (_name, rows, name) => {
    expect(findCopied(rows, wanted(name))).toBeUndefined();
  });

  it('takes the longest of the names that fit', () => {
    expect(findCopied([row({}), row({ id: 2, name: 'main_copy' })], wanted('main_copy_copy'))).toBe(2);
  });
});

describe('columnsOf', () => {
  it('gives the columns a copy has as well, and neither key nor figures', () => {
    const columns = columnsOf(channelRow({ key: 'sk-1', usedQuota: 5 }));
    expect(Object.keys(columns).toSorted()).toEqual(Object.keys(EMPTY).toSorted());
  });
});
