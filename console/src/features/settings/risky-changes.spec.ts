import { describe, expect, it } from '@jest/globals';
import { questionFor } from './risky-changes';

describe('changes that are asked about first', () => {
  it.each([
    ['the quota that stands for a dollar', 'QuotaPerUnit', '1000000', 'unit'],
    ['password login, when it goes', 'PasswordLoginEnabled', 'false', 'password'],
    ['the host name, which passkeys belong to', 'ServerAddress', 'https://other.example', 'host'],
    ['nothing that comes back', 'PasswordLoginEnabled', 'true', undefined],
    ['no other path of the same host', 'ServerAddress', 'https://gate.example/path', undefined],
  ])('covers %s', (_what, key, value, question) => {
    expect(questionFor([{ key, value }], { ServerAddress: 'https://gate.example' })).toBe(question);
  });
});
