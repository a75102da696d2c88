import { expect, it } from '@jest/globals';
import { publishedAddress } from './published-address.js';

it.each([
  ['', '/gateway', ''],
  ['///', '/gateway', ''],
  ['https://a.test', '', 'https://a.test'],
  ['https://a.test//', '', 'https://a.test'],
  ['https://a.test', '/gateway', 'https://a.test/gateway'],
  ['https://a.test/gateway/', '/gateway', 'https://a.test/gateway'],
  ['https://gateway', '/gateway', 'https://gateway/gateway'],
  ['https://a.test/other', '/gateway', 'https://a.test/other/gateway'],
])('publishes %j under %j at %j', (address, basePath, published) => {
  expect(publishedAddress(address, basePath)).toBe(published);
});
