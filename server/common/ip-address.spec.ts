import { describe, expect, it } from '@jest/globals';
import { addressOfNode, canonicalAddress, readRange } from './ip-address.js';

/** Ways to write an address, and the one text it has here. */
const SPELLINGS: readonly (readonly [written: string, address: string])[] = [
  ['10.1.2.3', '10.1.2.3'],
  ['[10.1.2.3]', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::FFFF:10.1.2.3', '10.1.2.3'],
  ['::ffff:a01:203', '10.1.2.3'],
  ['0:0:0:0:0:ffff:10.1.2.3', '10.1.2.3'],
  ['[::ffff:10.1.2.3]', '10.1.2.3'],
  ['2001:db8::5', '2001:db8::5'],
  ['2001:DB8:0:0::0005', '2001:db8::5'],
  ['[2001:db8::5]', '2001:db8::5'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]', 'fe80::1'],
  ['::ffff:10.1.2.3%2', '10.1.2.3'],
  ['::1', '::1'],
];

const NO_ADDRESSES = [
  '',
  ' ',
  'unknown',
  '_hidden',
  'localhost',
  '10.1.2',
  '127.1',
  '010.1.2.3',
  '0x7f000001',
  '10.1.2.256',
  '10.1.2.3.4',
  '2001:db8::5::1',
  '[2001:db8::5',
  '2001:db8::5]',
  '[]',
  '[unknown]',
  '10.1.2.3 ',
  'a%b',
];

describe('an address', () => {
  it.each(SPELLINGS)('written as %s is %s', (written, address) => {
    expect(canonicalAddress(written)).toBe(address);
    expect(canonicalAddress(address)).toBe(address);
  });

  it.each(SPELLINGS)('written by a proxy as %s, with or without a port, is %s', (written, address) => {
    const withPort = (port: string): string =>
      written.includes(':') && !written.startsWith('[') ? `[${written}]:${port}` : `${written}:${port}`;
    for (const told of [written, withPort('443'), withPort('51234'), withPort('_hidden')])
      expect([told, addressOfNode(told)]).toEqual([told, address]);
  });

  it('reads a port behind a mapped address without brackets, not behind one of IPv6: the last group would be it', () => {
    expect(addressOfNode('::ffff:10.1.2.3:443')).toBe('10.1.2.3');
    expect(addressOfNode('2001:db8::5:443')).toBe('2001:db8::5:443');
  });

  it.each(NO_ADDRESSES.map((text) => [text]))('differs from %p', (text) => {
    expect(canonicalAddress(text)).toBeNull();
    for (const told of [text, `${text}:443`, `[${text}]:443`]) expect(addressOfNode(told)).toBeNull();
  });

  it.each([['10.1.2.3:'], ['10.1.2.3:123456'], ['10.1.2.3:x'], ['[2001:db8::5]443'], ['[2001:db8::5]:']])(
    'differs from %p: no port looks like that',
    (text) => expect(addressOfNode(text)).toBeNull(),
  );

  it.each([
    ['10.0.0.0/8', '10.0.0.0', 8, 'ipv4'],
    ['10.1.2.3', '10.1.2.3', 32, 'ipv4'],
    ['::ffff:10.0.0.0/104', '10.0.0.0', 8, 'ipv4'],
    ['2001:DB8::/32', '2001:db8::', 32, 'ipv6'],
    ['[2001:db8::5]', '2001:db8::5', 128, 'ipv6'],
  ])('range %s is read once for saving and for comparing', (text, address, prefix, family) => {
    expect(readRange(text)).toEqual({ address, prefix, family });
  });

  it.each([['10.1/16'], ['010.0.0.0/8'], ['10.0.0.0/33'], ['::ffff:10.0.0.0/20'], ['10.0.0.0/8/8'], ['/8']])(
    'range %s is none',
    (text) => expect(readRange(text)).toBeNull(),
  );
});
