import type { IdentityProvider } from '../access/identity-providers.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { MAX_OFFSET, type Page } from '../../common/page.js';
import { fromOne } from '../../common/query.js';
import type { BinItem, BinQuery, Hindrance } from './bin-view.js';
import { type Deletion, KEPT_MS } from './bin-rules.js';

/** A deleted row and the names a page of the bin shows beside it. */
export interface BinRow extends Deletion {
  readonly id: number;
  readonly name: string;
  /** 0 = no account. */
  readonly ownerId: number;
  readonly ownerName: string;
  readonly deletedByName: string;
  /** Providers whose identities the account still has; absent = none. */
  readonly identities?: readonly IdentityProvider[];
}

/** @param hindrance  reason it cannot be restored; empty = it can */
export function presentBinRow(row: BinRow, hindrance: Hindrance): BinItem {
  const deletedAtMs = row.deletedAtMs ?? 0;
  return {
    id: row.id,
    name: row.name,
    owner_id: row.ownerId,
    owner_name: row.ownerName,
    deleted_at: Math.floor(deletedAtMs / 1000),
    deleted_by: row.deletedBy ?? 0,
    deleted_by_name: row.deletedByName,
    kept_until:
      hindrance === 'not_kept' || hindrance === 'left' ? 0 : Math.floor((deletedAtMs + KEPT_MS) / 1000),
    hindrance,
    identities: [...(row.identities ?? [])],
  };
}

/** Reads one page of the bin. Fails: DomainError `page_out_of_reach`. */
export async function readBinPage(
  query: BinQuery,
  read: (offset: number, limit: number) => Promise<{ items: BinItem[]; total: number }>,
): Promise<Page<BinItem>> {
  const page = fromOne(query);
  const offset = (page - 1) * query.page_size;
  if (offset >= MAX_OFFSET) throw new DomainError('page_out_of_reach', { max: MAX_OFFSET });
  return { ...(await read(offset, query.page_size)), page, page_size: query.page_size };
}
