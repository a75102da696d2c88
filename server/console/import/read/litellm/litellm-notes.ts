import { createHash } from 'node:crypto';
import { sentence } from '../../../../common/import-sentences/sentence.js';
import type { ForeignSource } from '../../../../infra/database/foreign-source.js';
import type { SourceNote } from '../../source/records.js';
import type { LitellmModel } from './litellm-channels.js';

/** Names models without a price: LiteLLM has a list of prices of its own, and their calls are refused here. */
export function noteUnpriced(
  models: readonly LitellmModel[],
  isPriced: (name: string) => boolean,
  notes: SourceNote[],
): void {
  for (const name of new Set(models.flatMap(({ names }) => names)))
    if (!isPriced(name) && !name.includes('*'))
      notes.push({
        kind: 'changed',
        table: 'LiteLLM_ProxyModelTable',
        id: name,
        sentence: sentence('model_without_price', { name }),
      });
}

const LOG = 'LiteLLM_SpendLogs';
/** Text in place of a key that later versions write for the master key. */
const MASTER_MARK = 'litellm_proxy_master_key';

/** Names calls that were made with the master key, which opens nothing here. */
export async function noteMasterCallers(
  source: ForeignSource,
  {
    tables,
    secrets,
  }: {
    readonly tables: ReadonlyMap<string, readonly string[]>;
    readonly secrets: readonly string[];
  },
  notes: SourceNote[],
): Promise<void> {
  if (!tables.has(LOG)) return;
  const keys = [MASTER_MARK, ...secrets.map((secret) => createHash('sha256').update(secret).digest('hex'))];
  const [row] = await source.query(
    `SELECT COUNT(*) AS "count" FROM "${LOG}" WHERE "api_key" IN (${keys.map(() => '?').join(', ')})`,
    keys,
  );
  const count = Number(row?.['count'] ?? 0);
  if (count > 0)
    notes.push({
      kind: 'key-off',
      table: LOG,
      id: '',
      sentence: sentence('litellm_master_callers', { count }),
    });
}
