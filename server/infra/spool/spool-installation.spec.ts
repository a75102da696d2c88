import { describe, expect, it } from '@jest/globals';
import { installationIn, nameInstallation } from './spool-installation.js';
import type { SpoolRecord } from './spool-record.js';

const read = (type: string, payload: string) => installationIn({ type, payload } as SpoolRecord);

describe('installationIn', () => {
  it.each(['0b6c-1', '', 'with "quotes" and 名'])('reads the name %j as it was written', (name) => {
    expect(read('C', nameInstallation(name))).toBe(name);
  });

  it.each([
    ['S', nameInstallation('a')],
    ['C', '{"request_id":"call-1","installation":"a"}'],
    ['C', '{"request_id":"","usage":{}}'],
    ['C', ''],
  ])('takes a record %s %s for one about a call', (type, payload) => {
    expect(read(type, payload)).toBeUndefined();
  });

  it('finds no name when something else stands in its place', () => {
    expect(read('C', '{"request_id":"","installation":7}')).toBe('');
    expect(read('C', '{"request_id":"","installation":null}')).toBe('');
  });
});
