import { describe, expect, it } from '@jest/globals';
import { makeInviteCode } from './invite-code.js';

describe('makeInviteCode', () => {
  it('draws eight letters and digits without confusable ones, anew each time', () => {
    const codes = Array.from({ length: 100 }, makeInviteCode);
    for (const code of codes) expect(code).toMatch(/^[2-9A-HJ-NP-Za-km-z]{8}$/);
    expect(new Set(codes).size).toBe(codes.length);
  });
});
