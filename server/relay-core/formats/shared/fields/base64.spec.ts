import { describe, expect, it } from '@jest/globals';
import { standardBase64 } from './base64.js';

describe('bytes in JSON', () => {
  const bytes = Buffer.from([0xfb, 0xff, 0xfe, 0x01]);

  it.each([
    ['the standard alphabet', bytes.toString('base64')],
    ['the url-safe alphabet', bytes.toString('base64url')],
    ['the url-safe alphabet with padding', `${bytes.toString('base64url')}==`],
    ['no padding', bytes.toString('base64').replace(/=+$/, '')],
    [
      'lines of 76 characters',
      `${bytes.toString('base64').slice(0, 3)}\r\n${bytes.toString('base64').slice(3)}`,
    ],
  ])('sends them in the form every vendor takes when they came in %s', (_form, text) => {
    expect(standardBase64(text)).toBe(bytes.toString('base64'));
  });
});
