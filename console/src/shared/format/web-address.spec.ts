import { expect, it } from '@jest/globals';
import { webAddress } from './web-address';

it.each([
  'javascript:alert(1)',
  'data:text/html,hello',
  'file:///etc/passwd',
  'ftp://pictures.example/a.png',
  '//pictures.example/a.png',
  '/\\pictures.example/a.png',
  'https://',
  'a.png',
  '',
])('does not follow %j', (text) => {
  expect(webAddress(text)).toBeUndefined();
});

it.each([
  ['https://pictures.example/a.png', 'https://pictures.example/a.png'],
  [' HTTP://pictures.example/a b.png ', 'http://pictures.example/a%20b.png'],
  ['/mj/image/17', '/mj/image/17'],
])('follows %j', (text, address) => {
  expect(webAddress(text)).toBe(address);
});
