import { Between, type DataSource } from 'typeorm';
import { z } from 'zod';
import type { SecretBox } from '../../infra/crypto/secret-box.js';
import { AuditChainEntity } from './audit-chain.entity.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { hashOf } from './audit-hash.js';

/** Fault of the chain, and its place. */
export interface ChainFault {
  /** First row that does not fit. */
  readonly sequence: number;
  /**
   * changed: its columns are not those that were hashed · missing: it is not there · misplaced: it does not follow the row before ·
   * head: the end of the chain is not where it should be · base: rows were removed at the start, and not by the retention rule
   */
  readonly kind: 'changed' | 'missing' | 'misplaced' | 'head' | 'base';
}

export interface ChainReport {
  /** Oldest row kept; 0 = the log is empty. */
  readonly firstSequence: number;
  /** Newest row up to which everything fits; 0 = none. */
  readonly verifiedUpTo: number;
  readonly headSequence: number;
  readonly headHash: string;
  readonly fault: ChainFault | null;
}

/** A row recorded elsewhere, to detect a log that was cut off or made anew. */
export interface KnownRow {
  readonly sequence: number;
  readonly hash: string;
}

export const PRUNE_ACTION = 'audit.prune';
const pruneDetail = z.object({ through_sequence: z.int(), through_hash: z.string() });

const BATCH = 500;
const ATTEMPTS = 3;

/**
 * Walks the whole chain, oldest row first, while others may go on writing.
 * @param known  must be part of the chain, or have been removed by the retention rule
 */
export async function verifyChain(
  dataSource: DataSource,
  secrets: SecretBox,
  known?: KnownRow,
): Promise<ChainReport> {
  for (let attempt = 1; ; attempt += 1) {
    const chain = await readChain(dataSource);
    const report = await walk(dataSource, secrets, chain, known);
    if (report.fault === null || attempt === ATTEMPTS) return report;
    // The retention rule may have removed rows meanwhile: then the walk began at an old start.
    if ((await readChain(dataSource)).baseSequence === chain.baseSequence) return report;
  }
}

async function walk(
  dataSource: DataSource,
  secrets: SecretBox,
  chain: AuditChainEntity,
  known: KnownRow | undefined,
): Promise<ChainReport> {
  const { baseSequence, baseHash, headSequence, headHash } = chain;
  let sequence = baseSequence;
  let hash = baseHash;
  let hasBaseProof = baseSequence === 0 && baseHash === '';
  let fault: ChainFault | null = null;
  while (sequence < headSequence && fault === null) {
    const rows = await readRows(dataSource, sequence + 1, Math.min(sequence + BATCH, headSequence));
    if (rows.length === 0) fault = { sequence: sequence + 1, kind: 'missing' };
    for (const row of rows) {
      const kind = faultOf(row, secrets, sequence, hash, known);
      if (kind !== null) {
        fault = { sequence: kind === 'missing' ? sequence + 1 : row.sequence, kind };
        break;
      }
      ({ sequence, hash } = row);
      hasBaseProof ||= vouchesFor(row, chain);
    }
  }
  if (fault === null && !hasBaseProof) fault = { sequence: baseSequence + 1, kind: 'base' };
  if (fault === null && (hash !== headHash || (await hasRowsBeyondHead(dataSource))))
    fault = { sequence: headSequence, kind: 'head' };
  if (fault === null && known !== undefined && known.sequence > headSequence)
    fault = { sequence: known.sequence, kind: 'missing' };
  return {
    firstSequence: headSequence > baseSequence ? baseSequence + 1 : 0,
    verifiedUpTo: sequence > baseSequence ? sequence : 0,
    headSequence,
    headHash,
    fault,
  };
}

function faultOf(
  row: AuditEventEntity,
  secrets: SecretBox,
  previousSequence: number,
  previousHash: string,
  known: KnownRow | undefined,
): ChainFault['kind'] | null {
  if (row.sequence !== previousSequence + 1) return 'missing';
  if (row.previousHash !== previousHash) return 'misplaced';
  if (hashOf(secrets, row) !== row.hash) return 'changed';
  if (known?.sequence === row.sequence && known.hash !== row.hash) return 'changed';
  return null;
}

/** The removal of old rows is itself a row of the chain, and names the last one removed. */
function vouchesFor(row: AuditEventEntity, { baseSequence, baseHash }: AuditChainEntity): boolean {
  if (row.action !== PRUNE_ACTION) return false;
  const detail = pruneDetail.safeParse(JSON.parse(row.detail));
  return (
    detail.success && detail.data.through_sequence === baseSequence && detail.data.through_hash === baseHash
  );
}

async function readChain(dataSource: DataSource): Promise<AuditChainEntity> {
  return dataSource.getRepository(AuditChainEntity).findOneByOrFail({ id: 1 });
}

async function readRows(dataSource: DataSource, from: number, to: number): Promise<AuditEventEntity[]> {
  return dataSource
    .getRepository(AuditEventEntity)
    .find({ where: { sequence: Between(from, to) }, order: { sequence: 'ASC' } });
}

/** Rows are read before the head: writers that append meanwhile move the head as well. */
async function hasRowsBeyondHead(dataSource: DataSource): Promise<boolean> {
  const newest = await dataSource
    .getRepository(AuditEventEntity)
    .find({ order: { sequence: 'DESC' }, take: 1, select: { sequence: true } });
  const { headSequence } = await readChain(dataSource);
  return (newest[0]?.sequence ?? 0) > headSequence;
}
