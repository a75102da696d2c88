import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { storableText } from '../../common/text.js';
import { isRejectedRow } from '../../infra/database/database-faults.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { Clock } from '../../common/clock.js';
import type { AuditAction } from './audit-actions.js';
import type { AuditDetail, AuditTarget } from './audit-members.js';
import { AuditChainEntity } from './audit-chain.entity.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { hashOf } from './audit-hash.js';
import { type AuditOrigin, currentAuditOrigin } from './audit-origin.js';
import { type AuditValue, canonicalJson } from './canonical-json.js';
import { withRowLock } from '../../infra/database/dialect-of.js';

/** Names of members whose values are secrets, in every spelling the product uses (`webhook_secret`, `SMTPToken`, `passwordHash`). */
const SECRET_NAME =
  /(password|passphrase|secret|credential|cookie|authorization|recovery_?codes?|totp|digest)|(token|tokens|key|keys)$/i;
/** Ids and marks beside a secret; limits, such as `maxInputTokens`. */
const HARMLESS = /^max[A-Z]|(_id|Id|_ids|Ids|_name|Name|_set|Set)$/;
/** Figures and switches about a secret are not the secret. */
const isSecretValue = (value: AuditValue): boolean =>
  (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null);

/** Replacement of a secret. */
export const MASK = 'changed';
const MAX_TEXT = 2_000;
const MAX_ITEMS = 500;
const MAX_DEPTH = 8;

/** Entry to record. Address, request id and the actor's name are taken from the running request. */
export interface AuditEntry {
  /** 0 = the system, or a caller who is not signed in. */
  readonly actorId: number;
  /** Role of the actor; 0 for the system. */
  readonly actorRole: number;
  /** Needed while the request has no actor yet, during sign-in. Otherwise taken from the request. */
  readonly actorName?: string;
  readonly action: AuditAction;
  readonly targetType: AuditTarget;
  readonly targetId: string | number;
  /** Members named like secrets lose their value whatever is in them. */
  readonly detail?: AuditDetail;
}

type Waiting = Readonly<{
  event: PreparedEvent;
  done: () => void;
  failed: (reason: unknown) => void;
}>;
type PreparedEvent = Omit<AuditEventEntity, 'sequence' | 'previousHash' | 'hash'>;

const CHAIN_ID = 1;
/** Rows written under one lock. */
const BATCH = 100;

/**
 * The append-only audit log. Every row carries the hash of the one before, and ids have no gaps: the chain's row is locked while
 * rows are added, until the transaction ends.
 */
@Injectable()
export class AuditLog {
  /** Number of entries of this process by action. */
  readonly recorded = new Map<string, number>();
  private readonly waiting: Waiting[] = [];
  private isWriting = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds a row.
   * @param manager  the transaction the act happens in: the row exists exactly when the act does. Null = a transaction of its own;
   *   never null inside a transaction, which on SQLite holds the only connection. Record last in a transaction: others wait.
   * Fails: with the database's error; the act should then not happen either.
   */
  async record(manager: EntityManager | null, entry: AuditEntry): Promise<void> {
    const event = this.prepare(entry, currentAuditOrigin());
    if (manager !== null) {
      await this.append(manager, [event]);
      return;
    }
    await new Promise<void>((done, failed) => {
      this.waiting.push({ event, done, failed });
      if (!this.isWriting) void this.writeWaiting();
    });
  }

  /** Rows that wait for the same lock share one transaction: a crowd neither fills the pool nor queues at the database. */
  private async writeWaiting(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      await this.write(batch);
    }
    this.isWriting = false;
  }

  /** Row by row where the database rejects one of them: a row that cannot be stored fails no other act. */
  private async write(batch: readonly Waiting[]): Promise<void> {
    try {
      await runInTransaction(this.dataSource, (manager) =>
        this.append(
          manager,
          batch.map(({ event }) => event),
        ),
      );
      for (const { done } of batch) done();
    } catch (error) {
      if (batch.length > 1 && isRejectedRow(error)) for (const each of batch) await this.write([each]);
      else for (const { failed } of batch) failed(error);
    }
  }

  private async append(manager: EntityManager, events: readonly PreparedEvent[]): Promise<void> {
    const chain = await lockChain(manager);
    let { headSequence, headHash } = chain;
    const rows = events.map((event) => {
      const linked = { ...event, sequence: headSequence + 1, previousHash: headHash };
      const row: AuditEventEntity = { ...linked, hash: hashOf(this.secrets, linked) };
      headSequence = row.sequence;
      headHash = row.hash;
      return row;
    });
    await manager.getRepository(AuditEventEntity).insert(rows);
    await manager.getRepository(AuditChainEntity).update({ id: CHAIN_ID }, { headSequence, headHash });
  }

  private prepare(entry: AuditEntry, origin: AuditOrigin | undefined): PreparedEvent {
    this.recorded.set(entry.action, (this.recorded.get(entry.action) ?? 0) + 1);
    const requester = origin?.actor?.id === entry.actorId ? origin.actor.username : '';
    return {
      createdAtMs: this.clock.nowMs(),
      actorId: entry.actorId,
      actorRole: entry.actorRole,
      actorName: storableText((entry.actorName ?? requester).slice(0, 64)),
      ip: storableText((origin?.ip ?? '').slice(0, 64)),
      requestId: (origin?.requestId ?? '').slice(0, 64),
      action: entry.action,
      targetType: entry.targetType.slice(0, 32),
      targetId: storableText(String(entry.targetId).slice(0, 64)),
      detail: canonicalJson(maskDetail(entry.detail ?? {})),
    };
  }
}

/** The chain's row, locked until the transaction ends; on SQLite the transaction holds the write lock already. */
export async function lockChain(manager: EntityManager): Promise<AuditChainEntity> {
  const query = manager
    .getRepository(AuditChainEntity)
    .createQueryBuilder('chain')
    .where('chain.id = :id', { id: CHAIN_ID });
  return withRowLock(query).getOneOrFail();
}

/**
 * Returns a copy without secrets: members named like one lose their value, also `key` and `keys`; long texts and lists are cut.
 * Name changed members by other words: `options`, `fields`, `columns`.
 */
export function maskDetail(value: AuditValue, depth = 0): AuditValue {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value))
    return value.slice(0, MAX_ITEMS).map((item: AuditValue) => maskDetail(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_NAME.test(name) && !HARMLESS.test(name) && isSecretValue(member)
        ? MASK
        : maskDetail(member, depth + 1),
    ]),
  );
}
