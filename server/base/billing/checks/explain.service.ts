import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { PriceSnapshot } from '../../../relay-core/model/price-snapshot.js';
import type { Evidence, Usage } from '../../../relay-core/model/usage.js';
import { MONEY_DATA_SOURCE } from '../ledger/billing.tokens.js';
import { explainCharge, type ChargeExplanation } from '../../pricing/explain-charge.js';
import { type LimitMark, readMarks, usedOf } from '../../limits/limit-marks.js';
import { wholeTokens } from '../records/spool-documents.js';
import { read, toInteger, toText } from '../ledger/money-sql.js';
import { PRICES_OF_SETTLEMENT, SETTLEMENTS_WITH_PRICES } from '../ledger/price-snapshots.js';

export interface CallExplanation extends ChargeExplanation {
  readonly callId: string;
  readonly userId: number;
  readonly model: string;
  readonly outcome: string;
  readonly usage: Usage;
  readonly snapshot: PriceSnapshot;
  readonly createdAtMs: number;
  /** A later correction of an estimate; 0 = none. Positive = given back. */
  readonly correction: number;
  /** Limits it counts under, in the periods of its admission. */
  readonly limits: readonly (LimitMark & { readonly used: number })[];
}

/** Explains the cost of a call from its settlement alone. */
@Injectable()
export class ExplainService {
  constructor(@Inject(MONEY_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /**
   * @param ownerId  only a call of this account; undefined = any account (administrators)
   * @returns undefined when there is no such settlement
   */
  async explain(callId: string, ownerId?: number): Promise<CallExplanation | undefined> {
    const [row] = await read(
      this.dataSource,
      `SELECT "user_id" AS "user_id", "model" AS "model", "usage" AS "usage", "evidence" AS "evidence", "charged" AS "charged",
         "writeoff" AS "writeoff", "outcome" AS "outcome", ${PRICES_OF_SETTLEMENT} AS "snapshot", "s"."created_at_ms" AS "created",
         "s"."limits" AS "limits"
       FROM ${SETTLEMENTS_WITH_PRICES} WHERE "request_id" = ?`,
      [callId],
    );
    if (row === undefined) return undefined;
    const userId = toInteger(row['user_id']);
    if (ownerId !== undefined && ownerId !== userId) return undefined;
    const usage = JSON.parse(toText(row['usage'])) as Usage;
    const snapshot = JSON.parse(toText(row['snapshot'])) as PriceSnapshot;
    const evidence = toText(row['evidence']) as Evidence;
    const charge = explainCharge({
      usage,
      snapshot,
      evidence,
      charged: toInteger(row['charged']),
      writeoff: toInteger(row['writeoff']),
    });
    const outcome = toText(row['outcome']);
    const correction = outcome === 'recovered' ? await this.correctionOf(callId) : 0;
    const createdAtMs = toInteger(row['created']);
    const figures = {
      quota: toInteger(row['charged']),
      inputTokens: wholeTokens(usage.input.total),
      outputTokens: wholeTokens(usage.output.total),
    };
    const limits = readMarks(row['limits'] === null ? null : toText(row['limits'])).map((mark) => ({
      ...mark,
      used: usedOf(mark.measure, figures),
    }));
    return {
      ...charge,
      callId,
      userId,
      model: toText(row['model']),
      outcome,
      usage,
      snapshot,
      createdAtMs,
      correction,
      limits,
    };
  }

  private async correctionOf(callId: string): Promise<number> {
    const [row] = await read(
      this.dataSource,
      `SELECT "amount" AS "amount" FROM "ledger" WHERE "kind" = 'correction' AND "ref" = ?`,
      [callId],
    );
    return toInteger(row?.['amount']);
  }
}
