import { describe, expect, it } from '@jest/globals';
import { readForwarded } from './client-address.js';

describe('a Forwarded header', () => {
  it.each([
    ['for=192.0.2.60;proto=http;by=203.0.113.43', [{ for: '192.0.2.60', proto: 'http', by: '203.0.113.43' }]],
    ['for=192.0.2.43, for="[2001:db8:cafe::17]"', [{ for: '192.0.2.43' }, { for: '[2001:db8:cafe::17]' }]],
    ['For="[2001:db8:cafe::17]:4711"', [{ for: '[2001:db8:cafe::17]:4711' }]],
    ['for=10.1.2.3:51234;Proto=https', [{ for: '10.1.2.3:51234', proto: 'https' }]],
    ['for=[2001:db8::5]:443', [{ for: '[2001:db8::5]:443' }]],
    ['host="a.example:8443" ; proto=https', [{ host: 'a.example:8443', proto: 'https' }]],
    [', for=192.0.2.1 ,, ;for=192.0.2.2;', [{ for: '192.0.2.1' }, { for: '192.0.2.2' }]],
    [String.raw`for="\_gaz\"onk"`, [{ for: '_gaz"onk' }]],
    ['host="a, for=192.0.2.9";for=192.0.2.1', [{ host: 'a, for=192.0.2.9', for: '192.0.2.1' }]],
    ['', []],
  ])('%s is read as its parts say', (header, elements) => {
    expect(readForwarded(header)).toEqual(elements);
  });

  it.each([
    ['for="192.0.2.1'],
    ['for="192.0.2.1, for=192.0.2.2'],
    ['for=192.0.2.6;x=", for="[2001:db8::1]"'],
    ['for=192.0.2.6;x=", for=192.0.2.2;by="proxy"'],
    ['for=192.0.2.1;for=192.0.2.2'],
    ['for 192.0.2.1'],
    ['for=192.0.2.1 for=192.0.2.2'],
    ['=192.0.2.1'],
  ])('%s says nothing, since readers could differ about it', (header) => {
    expect(readForwarded(header)).toEqual([]);
  });
});
