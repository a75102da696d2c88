import { describe, expect, it } from '@jest/globals';
import { checkKey } from './channel-rules.js';
import {
  joinKeys,
  keepMarks,
  keyHint,
  readRingInfo,
  splitStoredKeys,
  splitTypedKeys,
  usableKeys,
  writeRingInfo,
} from './key-ring.js';

const MARK = { status: 3, reason: 'status 401', time: 7 };

describe('key ring', () => {
  it('reads back its own document, and takes other documents for one key', () => {
    const info = { mode: 'polling' as const, size: 3, marks: new Map([[1, MARK]]) };
    expect(readRingInfo(writeRingInfo(info))).toEqual(info);
    expect([null, '', '{}', '{"is_multi_key":false}', '[]'].map(readRingInfo)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('ignores marks that mean the key is on', () => {
    const info = readRingInfo('{"is_multi_key":true,"multi_key_status_list":{"0":1,"1":2}}');
    expect([...(info?.marks.keys() ?? [])]).toEqual([1]);
  });

  it('splits lines and JSON lists, once per key, JSON keys on one line each', () => {
    expect(splitTypedKeys(' a \r\n\n b\na', checkKey)).toEqual(['a', 'b']);
    expect(splitTypedKeys('["a", {"private_key": "x\\ny"}]', checkKey)).toEqual([
      'a',
      '{"private_key":"x\\ny"}',
    ]);
    expect(splitStoredKeys(joinKeys(['a', '{"k":"x\\ny"}']))).toEqual(['a', '{"k":"x\\ny"}']);
  });

  it('refuses keys that cannot be headers', () => {
    expect(() => splitTypedKeys('a\nschlüssel', checkKey)).toThrow('channel_key_invalid');
    expect(() => splitTypedKeys('[1', checkKey)).toThrow('channel_key_invalid');
  });

  it('leaves out keys that are off, and keeps their marks when keys before them go', () => {
    const marks = new Map([[1, MARK]]);
    expect(usableKeys(['a', 'b', 'c'], { mode: 'random', size: 3, marks })).toEqual([
      { index: 0, credential: 'a' },
      { index: 2, credential: 'c' },
    ]);
    expect(keepMarks(['a', 'b', 'c'], ['b', 'c'], marks)).toEqual(new Map([[0, MARK]]));
  });

  it('shows four characters of long keys, none of short ones [CH-01]', () => {
    expect([keyHint('sk-1234567890abcdef'), keyHint('short-key')]).toEqual(['…cdef', '…']);
  });
});
