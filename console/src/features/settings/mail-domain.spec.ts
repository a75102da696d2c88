import { expect, it } from '@jest/globals';
import { isDomain } from './mail-domain';

it.each(['example.com', 'a.b-c.example', 'xn--fiqs8s.cn', `${'a'.repeat(63)}.com`])(
  'takes %s for a domain',
  (text) => {
    expect(isDomain(text)).toBe(true);
  },
);

it.each([
  '',
  'localhost',
  'example',
  '.example.com',
  'example.com.',
  'a@example.com',
  '@example.com',
  '*.example.com',
  '-a.example.com',
  'a-.example.com',
  'exa_mple.com',
  'Example.com',
  '例子.中国',
  '192.0.2.1',
  'a..com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(126)}com`,
  'example.com\n',
])('takes %j for none', (text) => {
  expect(isDomain(text)).toBe(false);
});
