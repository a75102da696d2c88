import { describe, expect, it } from '@jest/globals';
import { redactSecrets } from './redact.js';

describe('G7 what a log line never shows', () => {
  it.each([
    ['a token key', 'key sk-abcdefghijklmnopqrstuvwxyz0123456789 refused', 'key sk-*** refused'],
    ['a bearer header', 'authorization: Bearer abcdef0123456789==', 'authorization: Bearer ***'],
    ['a parameter', 'GET /api?key=abcdef&x=1', 'GET /api?key=***&x=1'],
    ['a database password', 'postgres://app:s3cret@db.example/x', 'postgres://app:***@db.example/x'],
    ['a JWT', 'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'token ***jwt***'],
    ['nothing secret', 'worker 3 ended with 1', 'worker 3 ended with 1'],
  ])('%s', (_name, text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
  });

  it('F-48 is cut at 4,000 characters', () => {
    expect(redactSecrets('x'.repeat(100_000))).toHaveLength(4_001);
  });
});
