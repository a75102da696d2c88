import { createHash } from 'node:crypto';
import { IMPORTED_LINE } from '../../../base/billing/opening/imported-line.js';
import type { NewLogLine } from '../../../base/logs/insert-lines.js';
import { KEYS_ACCOUNT, teamAccount } from '../read/litellm/litellm-keys.js';
import type { RowValues } from '../source/row-values.js';
import type { Journal } from '../write/journal.js';

const CALL = 2;
const FAILED = 5;
const NAME_MAX = 64;
const MODEL_MAX = 255;
const DIGEST_CHARACTERS = 20;

/** A line of LiteLLM's call log as a line here, marked as imported. Calls on its master key belong to its own account, or to none. */
export function spendLineOf(
  row: RowValues,
  {
    journal,
    quotaPerUnit,
    names,
  }: {
    readonly journal: Journal;
    readonly quotaPerUnit: number;
    /** Names of accounts by their number here. */
    readonly names: ReadonlyMap<number, string>;
  },
): NewLogLine {
  const id = row.text('request_id');
  const startMs = row.moment('startTime') ?? 0;
  const endMs = row.moment('endTime') ?? startMs;
  const firstMs = row.moment('completionStartTime');
  const metadata = row.object('metadata');
  const failed = row.text('status') === 'failure' || metadata['status'] === 'failure';
  const userId =
    journal.targetOf('user', row.text('user')) ??
    journal.targetOf('user', teamAccount(row.text('team_id'))) ??
    journal.targetOf('user', KEYS_ACCOUNT) ??
    0;
  const cut = (text: string, length: number): string =>
    [...text.replaceAll('\0', '')].slice(0, length).join('');
  const endUser = row.text('end_user');
  return {
    requestId: `${IMPORTED_LINE}${journal.importId}-${createHash('sha256').update(id).digest('hex').slice(0, DIGEST_CHARACTERS)}`,
    userId,
    createdAt: Math.floor(startMs / 1_000),
    type: failed ? FAILED : CALL,
    content: '',
    username: cut(names.get(userId) ?? '', NAME_MAX),
    tokenName: cut(textOf(metadata['user_api_key_alias']), NAME_MAX),
    modelName: cut(row.text('model_group') || row.text('model'), MODEL_MAX),
    quota: Math.round(row.number('spend') * quotaPerUnit),
    promptTokens: row.integer('prompt_tokens'),
    completionTokens: row.integer('completion_tokens'),
    useTime: Math.max(0, Math.round((endMs - startMs) / 1_000)),
    isStream: firstMs !== null && firstMs < endMs,
    channelId: journal.targetOf('channel', row.text('model_id')) ?? 0,
    tokenId: journal.targetOf('token', row.text('api_key')) ?? 0,
    hadFailedAttempt: 0,
    group: '',
    other: JSON.stringify({
      duration_ms: Math.max(0, endMs - startMs),
      ...(firstMs === null ? {} : { frt: Math.max(0, firstMs - startMs) }),
      imported: {
        from: 'litellm',
        id: id.slice(0, 100),
        dollars: row.number('spend'),
        upstream_model: row.text('model').slice(0, 100),
        ...(endUser === '' ? {} : { end_user: endUser.slice(0, 100) }),
      },
    }),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
