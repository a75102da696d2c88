import { describe, expect, it } from '@jest/globals';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { hashOf, type HashedEvent } from './audit-hash.js';

const EVENT: HashedEvent = {
  sequence: 2,
  createdAtMs: 1_000,
  actorId: 1,
  actorRole: 100,
  actorName: 'root',
  ip: '192.0.2.1',
  requestId: 'r',
  action: 'user.disable',
  targetType: 'user',
  targetId: '7',
  detail: '{}',
  previousHash: 'aa',
};
const SECRETS = new SecretBox('x'.repeat(32));

describe('hashOf', () => {
  it('gives the same row the same 64 hexadecimal digits', () => {
    expect(hashOf(SECRETS, EVENT)).toBe(hashOf(SECRETS, { ...EVENT }));
    expect(hashOf(SECRETS, EVENT)).toMatch(/^[\da-f]{64}$/);
  });

  it.each(Object.keys(EVENT) as (keyof HashedEvent)[])('changes with %s', (column) => {
    const value = EVENT[column];
    const other = { ...EVENT, [column]: typeof value === 'number' ? value + 1 : `${value}x` };
    expect(hashOf(SECRETS, other)).not.toBe(hashOf(SECRETS, EVENT));
  });

  it('does not let a text move from one column to the next', () => {
    const moved = { ...EVENT, targetType: 'use', targetId: 'r7' };
    expect(hashOf(SECRETS, moved)).not.toBe(hashOf(SECRETS, EVENT));
  });

  it('needs the secret', () => {
    expect(hashOf(new SecretBox('y'.repeat(32)), EVENT)).not.toBe(hashOf(SECRETS, EVENT));
  });
});
