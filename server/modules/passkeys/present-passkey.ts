import type { PasskeyView } from './dto/passkey.dto.js';
import type { PasskeyEntity } from './passkey.entity.js';

/** A passkey as its owner sees it: no keys, no credential id. */
export function presentPasskey(row: PasskeyEntity): PasskeyView {
  return {
    id: row.id,
    name: row.name,
    created_at: Math.floor(row.createdAtMs / 1000),
    last_used_at: Math.floor(row.lastUsedAtMs / 1000),
    synced: row.isSynced,
  };
}
