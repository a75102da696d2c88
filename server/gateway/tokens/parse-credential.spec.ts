import { describe, expect, it } from '@jest/globals';
import { parseCredential, makeTokenKey } from './token-key.js';

const KEY = makeTokenKey();
const LEGACY = 'abcdefghij0123456789ABCDEFGHIJ01';
const flip = (text: string): string => text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a');

const TABLE: readonly (readonly [title: string, text: string, expected: unknown])[] = [
  ['a key', KEY, { key: KEY, channelId: null }],
  ['a key with prefix', `sk-${KEY}`, { key: KEY, channelId: null }],
  ['a key with a channel', `sk-${KEY}-7`, { key: KEY, channelId: 7 }],
  ['a key with a channel and no prefix', `${KEY}-12`, { key: KEY, channelId: 12 }],
  ['the largest channel id', `sk-${KEY}-2147483647`, { key: KEY, channelId: 2_147_483_647 }],
  ['an older key', LEGACY, { key: LEGACY, channelId: null }],
  ['an older key with prefix', `sk-${LEGACY}`, { key: LEGACY, channelId: null }],
  ['an older key with a channel', `sk-${LEGACY}-3`, { key: LEGACY, channelId: 3 }],
  ['nothing', '', null],
  ['only the prefix', 'sk-', null],
  ['only a channel', 'sk--7', null],
  ['a wrong checksum', `sk-${flip(KEY)}`, null],
  ['a made-up key of our length', `sk-${'a'.repeat(48)}`, null],
  ['another case', `sk-${KEY.toLowerCase() === KEY ? KEY.toUpperCase() : KEY.toLowerCase()}`, null],
  ['a prefix in capitals', `SK-${KEY}`, null],
  ['two prefixes', `sk-sk-${KEY}`, null],
  ['a blank before', ` sk-${KEY}`, null],
  ['a blank after', `sk-${KEY} `, null],
  ['a blank inside', `sk- ${KEY}`, null],
  ['a line break after', `sk-${KEY}\n`, null],
  ['a carriage return', `sk-${KEY}\r\nx: y`, null],
  ['a tab', `sk-\t${KEY}`, null],
  ['a NUL', `sk-${KEY}\u0000`, null],
  ['the scheme left in', `Bearer sk-${KEY}`, null],
  ['a quote', `'${KEY}'`, null],
  ['SQL', `sk-' OR '1'='1`, null],
  ['a percent sign', `sk-${KEY.slice(0, 47)}%`, null],
  ['a wildcard', 'sk-%', null],
  ['an underscore', `sk-${LEGACY}_`, null],
  ['a full-width letter', `sk-${'ａ'.repeat(20)}`, null],
  ['an accented letter', `sk-${'é'.repeat(20)}`, null],
  ['an empty channel', `sk-${KEY}-`, null],
  ['channel zero', `sk-${KEY}-0`, null],
  ['a channel with leading zeros', `sk-${KEY}-007`, null],
  ['a negative channel', `sk-${KEY}--7`, null],
  ['a fractional channel', `sk-${KEY}-7.5`, null],
  ['a channel in words', `sk-${KEY}-seven`, null],
  ['a channel too large', `sk-${KEY}-2147483648`, null],
  ['two channels', `sk-${KEY}-7-8`, null],
  ['a short key', 'sk-abc', null],
  ['a key that is too long', `sk-${'a'.repeat(130)}`, null],
  ['two keys', `sk-${KEY},sk-${KEY}`, null],
];

describe('parseCredential', () => {
  it.each(TABLE)('%s [TOK-02]', (_, text, expected) => {
    expect(parseCredential(text)).toEqual(expected);
  });

  it('covers at least 40 spellings [TOK-02]', () => {
    expect(TABLE.length).toBeGreaterThanOrEqual(40);
  });
});
