import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import {
  DataSource,
  type EntityManager,
  In,
  LessThan,
  LessThanOrEqual,
  MoreThan,
  Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import { STEPS_TABLE } from '../../infra/database/applied-steps.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { bumpRevision } from '../../infra/events/bump-revision.js';
import { type AuditEntry, AuditLog } from '../audit/audit-log.js';
import { OptionChangeEntity, OptionEntity } from './option.entity.js';
import { OptionVersionEntity, type OptionVersionSource } from './option-version.entity.js';

/** A stored change, before it is written. Old and new text are null for secrets. */
export interface OptionChange {
  readonly key: string;
  /** Text for the options table: sealed for secrets. */
  readonly stored: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
}

/** Actor, source and note of a save. */
export interface OptionSave {
  readonly actorId: number;
  readonly actorName: string;
  readonly actorRole: number;
  readonly source: OptionVersionSource;
  readonly note: string;
  readonly hasPrices: boolean;
  readonly nowMs: number;
}

/** Changes of one option, or of all. `before`: only older revisions. */
export interface HistoryQuery {
  readonly key?: string | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Another save changed the options after they were checked. */
export class OptionsMovedError extends Error {}

/** Identifies a state of the options table; any committed change gives another one. */
export interface OptionsVersion {
  readonly revision: number;
  readonly changes: number;
  /** Moment of the newest change: differs when the database was put back to an older copy and changed again. */
  readonly changedAtMs: number;
}

@Injectable()
export class OptionsRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectRepository(OptionChangeEntity) private readonly changeRows: Repository<OptionChangeEntity>,
    @InjectRepository(OptionVersionEntity) private readonly versionRows: Repository<OptionVersionEntity>,
    private readonly audit: AuditLog,
  ) {}

  async all(manager: EntityManager = this.dataSource.manager): Promise<Map<string, string>> {
    const rows = await manager.getRepository(OptionEntity).find();
    return new Map(rows.map((row) => [row.key, row.value]));
  }

  /** The count is part of it because two instances may commit their revisions in the other order. */
  async version(manager: EntityManager = this.dataSource.manager): Promise<OptionsVersion> {
    return versionOf(await newestChange(manager.createQueryBuilder()).getRawOne<VersionRow>());
  }

  /**
   * The version with a name for exactly these contents: also distinguishes a database put back to an older copy, schemas, and most
   * changes made by hand without a history.
   */
  async state(
    manager: EntityManager = this.dataSource.manager,
  ): Promise<{ readonly version: OptionsVersion; readonly name: string }> {
    const row = await manager
      .createQueryBuilder()
      .select('*')
      .from((query) => newestChange(query), 'newest')
      .addFrom(
        (query) =>
          query
            .select('COUNT(*)', 'total')
            .addSelect('SUM(LENGTH(stored.value))', 'characters')
            .addSelect((inner) => inner.select('MAX(step.name)').from(STEPS_TABLE, 'step'), 'step')
            .from(OptionEntity, 'stored'),
        'texts',
      )
      .getRawOne<VersionRow & Record<'total' | 'characters' | 'step', string | number | null>>();
    const version = versionOf(row);
    const parts = [...Object.values(version), row?.total, row?.characters, row?.step];
    return { version, name: parts.map((part) => String(part ?? 0)).join('.') };
  }

  /**
   * Options, their history and the row of the audit log in one transaction.
   * @param basedOn  the state the changes were checked against
   * Fails: OptionsMovedError when another instance changed options since; nothing is stored then.
   */
  async write(changes: readonly OptionChange[], save: OptionSave, basedOn: OptionsVersion): Promise<void> {
    await runInTransaction(this.dataSource, async (manager) => {
      // Locks out other instances: what was checked against a state is stored on top of that state.
      await bumpRevision(manager, 'options');
      if (!isSameVersion(await this.version(manager), basedOn)) {
        throw new OptionsMovedError();
      }
      const version = await manager.getRepository(OptionVersionEntity).insert({
        actorId: save.actorId,
        actorName: save.actorName.slice(0, 64),
        source: save.source,
        note: save.note.slice(0, 500),
        keys: JSON.stringify(changes.map(({ key }) => key)),
        hasPrices: save.hasPrices ? 1 : 0,
        createdAtMs: save.nowMs,
      });
      const versionId = Number((version.identifiers[0] as { id: unknown }).id);
      await this.writeWith(manager, changes, { actorId: save.actorId, nowMs: save.nowMs, versionId });
      await this.audit.record(manager, auditEntryOf(changes, save));
    });
  }

  /**
   * Like `write`, inside the caller's transaction, which counts the revision itself. Without a `versionId` the program saves, and no
   * version is made.
   */
  async writeWith(
    manager: EntityManager,
    changes: readonly OptionChange[],
    save: { readonly actorId: number; readonly nowMs: number; readonly versionId?: number },
  ): Promise<void> {
    const { actorId, nowMs, versionId = null } = save;
    await manager.getRepository(OptionEntity).upsert(
      changes.map(({ key, stored }) => ({ key, value: stored })),
      ['key'],
    );
    await manager.getRepository(OptionChangeEntity).insert(
      changes.map(({ key, oldValue, newValue }) => ({
        key,
        oldValue,
        newValue,
        actorId,
        changedAtMs: nowMs,
        versionId,
      })),
    );
  }

  /** Changes, newest first. */
  async history({ key, before, limit }: HistoryQuery): Promise<OptionChangeEntity[]> {
    return this.changeRows.find({
      where: {
        ...(key === undefined ? {} : { key }),
        ...(before === undefined ? {} : { revision: LessThan(before) }),
      },
      order: { revision: 'DESC' },
      take: limit,
    });
  }

  async changeOf(revision: number): Promise<OptionChangeEntity | null> {
    return this.changeRows.findOneBy({ revision });
  }

  async changesOf(versionId: number): Promise<OptionChangeEntity[]> {
    return this.changeRows.find({ where: { versionId }, order: { revision: 'ASC' } });
  }

  /** First and last revision of a version; both 0 when it changed nothing. */
  async revisionsOf(versionId: number): Promise<readonly [first: number, last: number]> {
    const changes = await this.changesOf(versionId);
    return [changes[0]?.revision ?? 0, changes.at(-1)?.revision ?? 0];
  }

  async versionsById(ids: readonly number[]): Promise<ReadonlyMap<number, OptionVersionEntity>> {
    if (ids.length === 0) return new Map();
    const rows = await this.versionRows.findBy({ id: In(ids) });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Versions that changed prices, newest first. */
  async priceVersions(before: number | undefined, limit: number): Promise<OptionVersionEntity[]> {
    return this.versionRows.find({
      where: { hasPrices: 1, ...(before === undefined ? {} : { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** Every option that has changed after a revision. */
  async keysChangedAfter(revision: number): Promise<string[]> {
    const rows = await this.changeRows
      .createQueryBuilder('change')
      .select('change.key', 'key')
      .distinct(true)
      .where('change.revision > :revision', { revision })
      .getRawMany<{ key: string }>();
    return rows.map(({ key }) => key);
  }

  /**
   * The stored text of an option as of a revision.
   * @returns null when it was not stored then, undefined when it never changed: it is what it was
   */
  async valueAt(key: string, revision: number): Promise<string | null | undefined> {
    const changes = this.changeRows;
    const last = await changes.findOne({
      where: { key, revision: LessThanOrEqual(revision) },
      order: { revision: 'DESC' },
    });
    if (last !== null) return last.newValue;
    const next = await changes.findOne({
      where: { key, revision: MoreThan(revision) },
      order: { revision: 'ASC' },
    });
    return next === null ? undefined : next.oldValue;
  }
}

type VersionRow = Record<'revision' | 'changes' | 'changed', string | number | null>;

const newestChange = <Row extends object>(
  query: SelectQueryBuilder<Row>,
): SelectQueryBuilder<OptionChangeEntity> =>
  query
    .select('MAX(change.revision)', 'revision')
    .addSelect('COUNT(*)', 'changes')
    .addSelect('MAX(change.changedAtMs)', 'changed')
    .from(OptionChangeEntity, 'change');

const versionOf = (row: VersionRow | undefined): OptionsVersion => ({
  revision: Number(row?.revision ?? 0),
  changes: Number(row?.changes ?? 0),
  changedAtMs: Number(row?.changed ?? 0),
});

export const isSameVersion = (left: OptionsVersion, right: OptionsVersion): boolean =>
  left.revision === right.revision &&
  left.changes === right.changes &&
  left.changedAtMs === right.changedAtMs;

/** A secret is named, with neither its old text nor its new one. */
function auditEntryOf(changes: readonly OptionChange[], save: OptionSave): AuditEntry {
  const options = changes.map(({ key, oldValue, newValue }) =>
    oldValue === null && newValue === null
      ? { option: key, now: 'changed' }
      : { option: key, before: oldValue, now: newValue },
  );
  return {
    actorId: save.actorId,
    actorRole: save.actorId === 0 ? 0 : save.actorRole,
    action: 'option.change',
    targetType: 'option',
    targetId: changes.length === 1 ? (changes[0]?.key ?? '') : '',
    detail: { options, source: save.source, note: save.note },
  };
}
