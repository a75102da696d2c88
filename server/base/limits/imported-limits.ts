import type { EntityManager } from 'typeorm';
import { bumpRevision } from '../../infra/events/bump-revision.js';
import { periodAt, type ZoneChange } from './calendar-periods.js';
import type { LimitDefinition } from './limit-definition.js';
import { LimitUseEntity } from './limit-use.entity.js';
import { LimitEntity } from './limit.entity.js';

/** A limit of another gateway as it is stored here. */
export interface ImportedLimit extends Pick<
  LimitDefinition,
  'name' | 'scope' | 'subject' | 'model' | 'measure' | 'amount' | 'period' | 'action'
> {
  /** Percents of the amount; empty = no warnings. */
  readonly warnAt: readonly number[];
  /** Use of the running period there, in the unit of the measure. */
  readonly used: number;
  /** Another amount for a while; absent = none. */
  readonly override?: { readonly amount: number; readonly untilMs: number };
}

/** Stores a limit with the use of its running period. @returns its number */
export async function insertImportedLimit(
  manager: EntityManager,
  { warnAt, used, override, ...limit }: ImportedLimit,
  {
    nowMs,
    zones,
    actorId,
  }: { readonly nowMs: number; readonly zones: readonly ZoneChange[]; readonly actorId: number },
): Promise<number> {
  await bumpRevision(manager, 'limits');
  const rows = manager.getRepository(LimitEntity);
  const entity = rows.create({
    ...limit,
    accountId: null,
    each: false,
    rolling: false,
    fallbackModel: '',
    warnAt: warnAt.length === 0 ? '' : JSON.stringify(warnAt),
    admitUnknown: false,
    enabled: true,
    overrideAmount: override?.amount ?? null,
    overrideUntilMs: override?.untilMs ?? null,
    overrideBy: override === undefined ? 0 : actorId,
    overrideReason: override === undefined ? '' : 'import',
    createdBy: actorId,
    byUser: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    version: 1,
  });
  await rows.insert(entity);
  if (used > 0 && limit.period !== '')
    await manager.getRepository(LimitUseEntity).insert({
      limitId: entity.id,
      value: '',
      periodStartMs: periodAt(limit.period, nowMs, zones).startsAtMs,
      kind: 'opening',
      used,
      calls: 0,
    });
  return entity.id;
}
