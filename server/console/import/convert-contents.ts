import { type Sentence, sentence } from '../../common/import-sentences/sentence.js';
import type { ReconciledSum } from './report.js';
import type { SourceContents, SourceSums } from './source/records.js';
import { sumOf } from './write/reconcile.js';
import { isUnused } from './write/write-wallet.js';

/**
 * The same contents in the quota units of this installation. Every amount is rounded by itself; what the rounding of balances adds up to
 * is a row of the reconciliation.
 * @param factor  units here for one unit there
 */
export function convertContents(
  contents: SourceContents,
  factor: number,
): {
  readonly contents: SourceContents;
  readonly warnings: readonly Sentence[];
  readonly sums: readonly ReconciledSum[];
} {
  if (factor === 1) return { contents, warnings: [], sums: [] };
  const to = (amount: number): number => Math.round(amount * factor);
  const users = contents.users.map((user) => ({
    ...user,
    quota: to(user.quota),
    usedQuota: to(user.usedQuota),
    affQuota: to(user.affQuota),
    affHistory: Math.max(to(user.affQuota), to(user.affHistory)),
  }));
  const tokens = contents.tokens.map((token) => ({
    ...token,
    remainQuota: to(token.remainQuota),
    usedQuota: to(token.usedQuota),
  }));
  const channels = contents.channels.map((channel) => ({ ...channel, usedQuota: to(channel.usedQuota) }));
  const codes = contents.codes.map((code) => ({ ...code, quota: to(code.quota) }));
  const orders = contents.orders.map((order) => ({ ...order, quota: to(order.quota) }));
  const sum = (amounts: readonly number[]): bigint =>
    amounts.reduce((total, amount) => total + BigInt(amount), 0n);
  const toWhole = (amount: bigint): bigint => BigInt(Math.round(Number(amount) * factor));
  const unread: SourceSums = {
    balances: toWhole(contents.unread.balances),
    usedByAccounts: toWhole(contents.unread.usedByAccounts),
    calls: contents.unread.calls,
    allowances: toWhole(contents.unread.allowances),
    usedByTokens: toWhole(contents.unread.usedByTokens),
    usedByChannels: toWhole(contents.unread.usedByChannels),
    unusedCodes: toWhole(contents.unread.unusedCodes),
  };
  const exact = toWhole(contents.sums.balances - contents.unread.balances);
  const rounded = sum(users.map(({ quota }) => quota));
  return {
    contents: {
      ...contents,
      users,
      tokens,
      channels,
      codes,
      orders,
      unread,
      sums: {
        balances: unread.balances + rounded,
        usedByAccounts: unread.usedByAccounts + sum(users.map(({ usedQuota }) => usedQuota)),
        calls: contents.sums.calls,
        allowances: unread.allowances + sum(tokens.map(({ remainQuota }) => remainQuota)),
        usedByTokens: unread.usedByTokens + sum(tokens.map(({ usedQuota }) => usedQuota)),
        usedByChannels: unread.usedByChannels + sum(channels.map(({ usedQuota }) => usedQuota)),
        unusedCodes: unread.unusedCodes + sum(codes.filter(isUnused).map(({ quota }) => quota)),
      },
    },
    warnings: [sentence('amounts_converted', { factor })],
    sums: [
      sumOf(sentence('sum_balances_converted'), exact, rounded, [
        { why: sentence('why_rounding'), amount: exact - rounded },
      ]),
    ],
  };
}
