import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { hostCookieAttributes, hostCookieName, readSignedCookie } from './signed-cookie.js';

/** A value that ends in `.ours` is signed. */
const requestWith = (cookie: string | undefined, protocol = 'https', basePath = ''): FastifyRequest =>
  ({
    protocol,
    basePath,
    headers: { cookie },
    server: {
      parseCookie: (text: string) => {
        const at = text.indexOf('=');
        return { [text.slice(0, at)]: text.slice(at + 1) };
      },
    },
    unsignCookie: (value: string) => ({ valid: value.endsWith('.ours'), value: value.slice(0, -5) }),
  }) as unknown as FastifyRequest;

describe('hostCookieName', () => {
  it.each([
    ['http', '', 'step', '/'],
    ['http', '/gate', 'step', '/gate'],
    ['https', '', '__Host-step', '/'],
    ['https', '/gate', '__Secure-step', '/gate'],
  ])('names a cookie over %s under "%s" %s, for the path %s', (protocol, basePath, name, path) => {
    const request = requestWith(undefined, protocol, basePath);
    expect(hostCookieName(request, 'step')).toBe(name);
    expect(hostCookieAttributes(request, 'strict')).toEqual({
      path,
      httpOnly: true,
      sameSite: 'strict',
      signed: true,
      secure: request.protocol === 'https',
    });
  });
});

describe('readSignedCookie', () => {
  it.each([
    [undefined, null],
    ['step=a.ours', 'a'],
    ['step=a.theirs', null],
    ['other=x.ours; step=a.theirs; step=b.ours', 'b'],
    ['stepped=a.ours', null],
    [`step=${'a'.repeat(300)}.ours`, null],
  ])('reads of %s the value %s', (cookie, value) => {
    expect(readSignedCookie(requestWith(cookie), 'step')).toBe(value);
  });
});
