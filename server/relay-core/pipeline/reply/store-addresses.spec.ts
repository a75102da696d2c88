import { describe, expect, it } from '@jest/globals';
import { isStoreAddress } from './store-addresses.js';

const inJson = (written: string): boolean => {
  const bytes = Buffer.from(`"${written}"`);
  return isStoreAddress(bytes, 1, bytes.length - 1);
};

describe('isStoreAddress', () => {
  it.each([
    'ms://file-1',
    'gs://bucket/a.png',
    'S3://bucket/a.png',
    'file:///etc/passwd',
    '  oss://bucket/a',
    'f\\u0069le:///etc/passwd',
    'gs:\\/\\/bucket\\/a',
    'g\\ns://bucket/a',
  ])('finds %s to be opened by its vendor only', (written) => {
    expect(inJson(written)).toBe(true);
  });

  it.each([
    'https://a.example/x.png',
    'HTTP://a.example',
    'data:image/png;base64,aGk=',
    'file-abc123',
    'aGk=',
    '',
    '\\u0068ttps://a.example',
  ])('takes %s for a public address', (written) => {
    expect(inJson(written)).toBe(false);
  });

  it('does not read a picture to its end', () => {
    expect(inJson(`data:image/png;base64,${'A'.repeat(5_000)}`)).toBe(false);
    expect(inJson(`gs://${'a'.repeat(5_000)}`)).toBe(true);
  });

  it('takes blanks that reach further than it reads for an address', () => {
    expect(inJson(`${' '.repeat(600)}gs://a`)).toBe(true);
  });
});
