import type { DataSource } from 'typeorm';
import type {
  LimitedCall,
  LimitEnd,
  RegisteredLimits,
  SharedLimits,
} from '../../../infra/shared-store/shared-limits.js';
import { type SharedStore, StoreUnavailableError } from '../../../infra/shared-store/shared-store.js';
import type { Usage } from '../../../relay-core/model/usage.js';
import { markOfWindow, windowKey } from '../../limits/call-limits.js';
import { isShared, type LimitDefinition } from '../../limits/limit-definition.js';
import { fieldOfBooked } from '../../limits/window-moments.js';
import { type CallFigures, marksText, readMarks, usedOf } from '../../limits/limit-marks.js';
import { callIdOf, outsideIdOf } from '../holds/limited-calls.js';
import { integerList, read, textList, toInteger, toText } from '../ledger/money-sql.js';
import { type BookingRecord, wholeTokens } from '../records/spool-documents.js';

const IDS_PER_QUERY = 500;
/** Windows of calls that were admitted without the store stay at least so long. */
const OUTSIDE_TTL_MS = 100 * 86_400_000;

interface Ports {
  readonly dataSource: DataSource;
  readonly store: SharedStore;
  readonly onFault: (message: string, error: unknown) => void;
}

/**
 * Ends the limited calls of a dead worker in the shared store: at what is booked of them, at nothing where nothing is. Call it when its records are
 * booked.
 * @param records  of its spool: calls among them that were admitted without the store are entered now
 * @returns false when the store is away
 */
export async function closeLimits(
  ports: Ports,
  bootId: string,
  records: readonly BookingRecord[] = [],
): Promise<boolean> {
  const { limits } = ports.store;
  try {
    const open: RegisteredLimits[] = [];
    for await (const call of limits.callsOf(bootId)) open.push(call);
    const known = new Set(open.map(({ callId }) => callIdOf(callId)));
    const outside = await outsideCalls(ports, bootId, records, known);
    if (outside.length > 0) await limits.restore(outside, bootId);
    const all: readonly Pick<RegisteredLimits, 'callId' | 'userId' | 'parts'>[] = [...open, ...outside];
    const figures = await bookedFigures(
      ports.dataSource,
      all.map(({ callId }) => callIdOf(callId)),
    );
    await limits.settle(
      all.map(({ callId, userId, parts }): LimitEnd => {
        const booked = figures.get(callIdOf(callId));
        return {
          callId,
          userId,
          parts: parts.map(({ key, isShared: shared }) => ({
            key,
            isShared: shared,
            used: usedIn(key, booked),
          })),
        };
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    ports.onFault('the limits of a dead worker could not be closed; the reaper tries again', error);
    return false;
  }
}

/** True for a record whose call the store may not count: it was admitted while the store was away. */
export const isOutsideStore = ({ document: { hold } }: BookingRecord): boolean =>
  hold.kind === 'call' && hold.limits !== undefined;

async function outsideCalls(
  { dataSource }: Ports,
  owner: string,
  records: readonly BookingRecord[],
  known: ReadonlySet<string>,
): Promise<readonly LimitedCall[]> {
  const missing = records.filter(
    (record) => isOutsideStore(record) && !known.has(record.document.request_id),
  );
  const marks = missing.map(({ document }) => readMarks(document.hold.limits));
  const ids = new Set(marks.flat().map(({ limitId }) => limitId));
  if (ids.size === 0) return [];
  const rows = await read(
    dataSource,
    `SELECT "id" AS "id", "scope" AS "scope", "measure" AS "measure", "period" AS "period", "rolling" AS "rolling",
       "account_id" AS "account" FROM "limits" WHERE "id" IN (${integerList(ids)})`,
  );
  const limits = new Map(
    rows.map((row) => {
      const accountId = row['account'] === null ? null : toInteger(row['account']);
      const facts = {
        id: toInteger(row['id']),
        scope: toText(row['scope']),
        measure: toText(row['measure']),
        period: toText(row['period']),
        rolling: Boolean(row['rolling']),
        accountId,
      };
      return [facts.id, facts as Pick<LimitDefinition, keyof typeof facts>];
    }),
  );
  return missing.flatMap(({ document }, index) => {
    const parts = (marks[index] ?? []).flatMap(({ limitId, value, periodStartMs }) => {
      const limit = limits.get(limitId);
      if (limit === undefined) return [];
      const place = { key: windowKey(limit, value), isShared: isShared(limit) };
      const field = fieldOfBooked(limit, periodStartMs);
      return [{ ...place, field, from: field, need: 0, amount: 0, ttlMs: OUTSIDE_TTL_MS }];
    });
    return [{ callId: outsideIdOf(document.request_id), userId: document.user_id, owner, parts }];
  });
}

function usedIn(key: string, figures: CallFigures | undefined): number {
  const mark = markOfWindow(key, 0);
  return figures === undefined || mark === undefined ? 0 : usedOf(mark.measure, figures);
}

async function bookedFigures(
  dataSource: DataSource,
  callIds: readonly string[],
): Promise<ReadonlyMap<string, CallFigures>> {
  const figures = new Map<string, CallFigures>();
  for (let from = 0; from < callIds.length; from += IDS_PER_QUERY) {
    const ids = textList(callIds.slice(from, from + IDS_PER_QUERY));
    const rows = await read(
      dataSource,
      `SELECT "request_id" AS "id", "charged" AS "charged", "usage" AS "usage" FROM "settlements" WHERE "request_id" IN (${ids})
       UNION ALL SELECT "request_id", 0, '{"input":{},"output":{}}' FROM "limit_failed_calls" WHERE "request_id" IN (${ids})`,
    );
    for (const row of rows) {
      const usage = JSON.parse(toText(row['usage'])) as Usage;
      figures.set(toText(row['id']), {
        quota: toInteger(row['charged']),
        inputTokens: wholeTokens(usage.input.total),
        outputTokens: wholeTokens(usage.output.total),
      });
    }
  }
  return figures;
}

/** Marks of a dead worker's limited calls, for settlements of those whose spool is lost. Fails: StoreUnavailableError. */
export async function marksOfLost(
  limits: SharedLimits,
  bootId: string,
): Promise<ReadonlyMap<string, string>> {
  const parts = new Map<string, RegisteredLimits['parts'][number][]>();
  for await (const call of limits.callsOf(bootId)) {
    const callId = callIdOf(call.callId);
    parts.set(callId, [...(parts.get(callId) ?? []), ...call.parts]);
  }
  return new Map(
    [...parts].flatMap(([callId, held]) => {
      const marks = held.flatMap(({ key, field }) => markOfWindow(key, field) ?? []);
      return marks.length === 0 ? [] : [[callId, marksText(marks)]];
    }),
  );
}
