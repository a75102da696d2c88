import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import { IMPORTED_LINE } from '../../../base/billing/opening/imported-line.js';
import type { NewLogLine } from '../../../base/logs/insert-lines.js';
import type { RowValues } from '../source/row-values.js';
import type { Journal } from '../write/journal.js';

const SYSTEM = 4;
/** Types of the source's log by the numbers here; absent = a system line. */
const NEW_API_TYPES: ReadonlyMap<number, number> = new Map([
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 4],
  [5, 5],
]);
/** Type 5 of one-api is a test of a channel. */
const ONE_API_TYPES: ReadonlyMap<number, number> = new Map([
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 4],
]);

const NAME_MAX = 64;
const MODEL_MAX = 255;
/** Members of the source's details that are shown here under the same name. */
const KEPT_MEMBERS = [
  'model_ratio',
  'group_ratio',
  'completion_ratio',
  'model_price',
  'cache_tokens',
  'cache_ratio',
  'is_model_mapped',
  'upstream_model_name',
  'frt',
];

/** A line of the log of new-api or one-api as a line here, marked as imported. Lines of accounts that are not here belong to none. */
export function lineOf(
  row: RowValues,
  { journal, product }: { readonly journal: Journal; readonly product: string },
): NewLogLine {
  const sourceType = row.integer('type');
  const types = product === 'new-api' ? NEW_API_TYPES : ONE_API_TYPES;
  const cut = (column: string, length: number): string => [...row.text(column)].slice(0, length).join('');
  const requestId = row.text('request_id');
  const parsed = parseJson(row.text('other'));
  const details = isJsonObject(parsed) ? parsed : {};
  const kept = Object.fromEntries(
    KEPT_MEMBERS.filter((name) => Object.hasOwn(details, name)).map((name) => [name, details[name]]),
  );
  return {
    requestId: `${IMPORTED_LINE}${journal.importId}-${row.text('id')}`.slice(0, 36),
    userId: journal.targetOf('user', row.text('user_id')) ?? 0,
    createdAt: row.integer('created_at'),
    type: types.get(sourceType) ?? SYSTEM,
    content: row.text('content').replaceAll('\0', ''),
    username: cut('username', NAME_MAX),
    tokenName: cut('token_name', NAME_MAX),
    modelName: cut('model_name', MODEL_MAX),
    quota: row.integer('quota'),
    promptTokens: row.integer('prompt_tokens'),
    completionTokens: row.integer('completion_tokens'),
    useTime: row.has('use_time') ? row.integer('use_time') : Math.round(row.integer('elapsed_time') / 1_000),
    isStream: row.flag('is_stream'),
    channelId: journal.targetOf('channel', row.text('channel_id')) ?? 0,
    tokenId: journal.targetOf('token', row.text('token_id')) ?? 0,
    hadFailedAttempt: 0,
    group: cut('group', NAME_MAX),
    other: JSON.stringify({
      ...kept,
      imported: {
        from: product,
        id: row.text('id'),
        type: sourceType,
        ...(requestId === '' ? {} : { request_id: requestId }),
      },
    }),
  };
}
