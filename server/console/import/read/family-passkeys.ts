import { sentence } from '../../../common/import-sentences/sentence.js';
import type { ForeignSource } from '../../../infra/database/foreign-source.js';
import type { ImportedPasskey } from '../../passkeys/imported-passkeys.js';
import type { SourceNote } from '../source/records.js';
import { DamagedValueError, type RowValues } from '../source/row-values.js';
import { readRows } from './read-rows.js';

const NO_MODEL = '00000000-0000-0000-0000-000000000000';

/** Host name that passkeys of new-api belong to; empty = it cannot be known. */
export function relyingPartyOf(options: ReadonlyMap<string, string>): string {
  const own = (options.get('passkey.rp_id') ?? '').trim();
  if (own !== '') return own;
  return URL.parse(options.get('ServerAddress') ?? '')?.hostname ?? '';
}

/** Passkeys by user id. */
export async function readFamilyPasskeys(
  source: ForeignSource,
  relyingParty: string,
  notes: SourceNote[],
): Promise<ReadonlyMap<string, readonly ImportedPasskey[]>> {
  const found = new Map<string, ImportedPasskey[]>();
  await readRows(source, { table: 'passkey_credentials', key: 'id', notes }, (row) => {
    if (row.has('deleted_at')) return null;
    const owner = row.text('user_id');
    found.set(owner, [...(found.get(owner) ?? []), passkeyOf(row, relyingParty)]);
    return null;
  });
  return found;
}

function passkeyOf(row: RowValues, relyingParty: string): ImportedPasskey {
  const transports = row.has('transports') ? row.json('transports') : [];
  return {
    credentialId: bytesOf(row, 'credential_id').toString('base64url'),
    publicKey: bytesOf(row, 'public_key').toString('base64url'),
    relyingParty,
    counter: row.integer('sign_count'),
    transports: Array.isArray(transports) ? transports.filter((name) => typeof name === 'string') : [],
    aaguid: modelOf(row),
    isSynced: row.flag('backup_state'),
    createdAtMs: row.moment('created_at') ?? 0,
    lastUsedAtMs: row.moment('last_used_at') ?? 0,
  };
}

/** Standard base64 there. Fails: DamagedValueError. */
function bytesOf(row: RowValues, column: string): Buffer {
  const bytes = Buffer.from(row.text(column), 'base64');
  if (bytes.length === 0) throw new DamagedValueError(sentence('value_empty', { column }));
  return bytes;
}

function modelOf(row: RowValues): string {
  const hex = Buffer.from(row.text('aa_guid'), 'base64').toString('hex');
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : NO_MODEL;
}
