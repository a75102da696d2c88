import { describe, expect, it } from '@jest/globals';
import { loginNameOf } from './login-name.js';

describe('loginNameOf', () => {
  it.each([
    ['Alice', 'alice'],
    ['ALICE@Example.ORG', 'alice@example.org'],
    ['alice@bücher.example', 'alice@xn--bcher-kva.example'],
    ['alice@', 'alice@'],
  ])('looks %s up as %s', (typed, name) => {
    expect(loginNameOf(typed)).toBe(name);
  });
});
