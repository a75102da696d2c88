import { describe, expect, it } from '@jest/globals';
import { backPath } from './use-sign-in-redirect';

describe('the way back after a login', () => {
  it('follows a path of this console', () => {
    expect(backPath({ back: '/log?type=2' })).toBe('/log?type=2');
  });

  it.each([
    ['another host', { back: '//evil.example/token' }],
    ['another host behind a backslash', { back: '/\\\\evil.example' }],
    ['another host with its scheme', { back: 'https://evil.example' }],
    ['a script', { back: 'javascript:alert(1)' }],
    ['no path', { back: 'token' }],
    ['no text', { back: 7 }],
    ['nothing', null],
    ['something else', 'back'],
  ])('does not follow one that is %s [AUTH-13]', (_name, state) => {
    expect(backPath(state)).toBeUndefined();
  });
});
