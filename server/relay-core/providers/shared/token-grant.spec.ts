import { describe, expect, it } from '@jest/globals';
import { tokenGrantReader } from './token-grant.js';

const read = (text: string) => tokenGrantReader(1_800)(Buffer.from(text));

describe('tokenGrantReader', () => {
  it.each([
    ['{"access_token":"t","expires_in":60}', { token: 't', lifetimeSeconds: 60 }],
    ['{"access_token":"t"}', { token: 't', lifetimeSeconds: 1_800 }],
    ['{"access_token":"t","expires_in":"60"}', { token: 't', lifetimeSeconds: 1_800 }],
  ])('reads %s', (text, grant) => {
    expect(read(text)).toEqual(grant);
  });

  it.each([
    '',
    '<html>',
    '{}',
    '{"access_token":""}',
    '{"access_token":7}',
    '{"access_token":"t","expires_in":0}',
  ])('takes %j for no grant', (text) => {
    expect(read(text)).toBeUndefined();
  });
});
