import { type Sentence, sentence } from '../../../common/import-sentences/sentence.js';
import type { DataSource } from 'typeorm';
import { read, toText } from '../../../base/billing/ledger/money-sql.js';
import type { ReconciledSum } from '../report.js';
import type { SourceContents } from '../source/records.js';
import type { Journal } from './journal.js';
import { isUnused } from './write-wallet.js';

/**
 * Compares the sums of the source, which its database computed, with what the books here hold of this import. Rows that were left out
 * and roundings explain differences, each with its amount.
 */
export async function reconcile(
  dataSource: DataSource,
  journal: Journal,
  contents: SourceContents,
): Promise<ReconciledSum[]> {
  const { sums, users, tokens, channels, codes, unread, given } = contents;
  const id = journal.importId;
  const missing = <T extends { readonly sourceId: string }>(
    kind: 'user' | 'token' | 'channel' | 'code',
    rows: readonly T[],
  ): T[] => rows.filter(({ sourceId }) => journal.find(kind, sourceId) === undefined);
  const leftUsers = missing('user', users);
  const leftTokens = missing('token', tokens);
  const opening = (scope: string, column: string): Promise<bigint> =>
    total(
      dataSource,
      `SELECT SUM("${column}") AS "v" FROM "opening_figures" WHERE "import_id" = ${id} AND "scope" = '${scope}'`,
    );
  const left = (amount: bigint): Explanation => ({ why: sentence('why_left_out'), amount });
  return [
    sumOf(
      sentence('sum_balances'),
      sums.balances,
      await total(
        dataSource,
        `SELECT SUM("amount") AS "v" FROM "ledger" WHERE "kind" = 'import' AND "ref" LIKE 'import:${id}:user:%'`,
      ),
      [
        left(unread.balances + add(leftUsers.map(({ quota }) => quota))),
        { why: sentence('why_given'), amount: -given },
      ],
    ),
    sumOf(sentence('sum_used_accounts'), sums.usedByAccounts, await opening('account', 'used_quota'), [
      left(unread.usedByAccounts + add(leftUsers.map(({ usedQuota }) => usedQuota))),
    ]),
    sumOf(sentence('sum_calls'), sums.calls, await opening('account', 'request_count'), [
      left(unread.calls + add(leftUsers.map(({ requestCount }) => requestCount))),
    ]),
    sumOf(
      sentence('sum_allowances'),
      sums.allowances,
      await total(
        dataSource,
        `SELECT SUM("amount") AS "v" FROM "token_grants" WHERE "kind" = 'import' AND "ref" LIKE 'import:${id}:token:%'`,
      ),
      [
        left(unread.allowances + add(leftTokens.map(({ remainQuota }) => remainQuota))),
        {
          why: sentence('why_allowance_below_zero'),
          amount: add(
            tokens
              .filter((token) => !leftTokens.includes(token))
              .map(({ remainQuota }) => Math.min(0, remainQuota)),
          ),
        },
      ],
    ),
    sumOf(sentence('sum_used_tokens'), sums.usedByTokens, await opening('token', 'used_quota'), [
      left(unread.usedByTokens + add(leftTokens.map(({ usedQuota }) => usedQuota))),
    ]),
    sumOf(sentence('sum_used_channels'), sums.usedByChannels, await opening('channel', 'used_quota'), [
      left(unread.usedByChannels + add(missing('channel', channels).map(({ usedQuota }) => usedQuota))),
    ]),
    sumOf(sentence('sum_codes'), sums.unusedCodes, journal.sum('code', 'unused'), [
      left(
        unread.unusedCodes +
          add(
            missing('code', codes)
              .filter(isUnused)
              .map(({ quota }) => quota),
          ),
      ),
    ]),
  ];
}

interface Explanation {
  readonly why: Sentence;
  readonly amount: bigint;
}

/** @param explained  parts of the source's sum that are not here */
export function sumOf(
  name: Sentence,
  source: bigint,
  here: bigint,
  explained: readonly Explanation[],
): ReconciledSum {
  const parts = explained.filter(({ amount }) => amount !== 0n);
  const rest = parts.reduce((sum, { amount }) => sum + amount, here);
  return {
    name,
    source: String(source),
    here: String(here),
    explained: parts.map(({ why, amount }) => ({ why, amount: String(amount) })),
    isEqual: rest === source,
  };
}

const add = (amounts: readonly number[]): bigint => amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);

async function total(dataSource: DataSource, sql: string): Promise<bigint> {
  const [row] = await read(dataSource, sql);
  const text = toText(row?.['v']);
  return text === '' ? 0n : BigInt(text.replace(/\.0*$/, ''));
}
