import { describe, expect, it, jest } from '@jest/globals';
import type { OptionsService } from '../options/options.service.js';
import type { LogWriter } from '../logs/log-writer.js';
import { AccountLines } from './account-lines.js';
import type { AccountsRepository } from './accounts.repository.js';

const NOTE = { type: 4, userId: 7, content: 'a gift', event: { code: 'grant_new' } } as const;

function linesOf(username: string | null) {
  const write = jest.fn<LogWriter['write']>(() => Promise.resolve());
  const accounts = { findIdentity: async () => (username === null ? null : { username }) };
  const options = { values: () => ({ DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 }) };
  const lines = new AccountLines(
    accounts as unknown as AccountsRepository,
    options as unknown as OptionsService,
    { write } as unknown as LogWriter,
  );
  return { lines, write };
}

describe('AccountLines', () => {
  it('writes a line with the name of the account', async () => {
    const { lines, write } = linesOf('ann');
    await lines.write(NOTE);
    expect(write).toHaveBeenCalledWith({ ...NOTE, username: 'ann' });
  });

  it('leaves the name of an account empty that is gone', async () => {
    const { lines, write } = linesOf(null);
    await lines.write(NOTE);
    expect(write).toHaveBeenCalledWith({ ...NOTE, username: '' });
  });

  it('shows quota as the operator chose', () => {
    expect(linesOf(null).lines.quotaText(1_000_000)).toBe('$2.000000');
  });
});
