import { Entity, Index, PrimaryColumn } from 'typeorm';
import { CounterColumn, safeInteger, SmallColumn } from '../../infra/database/columns.js';
import { BUCKET_COUNT } from './histogram.js';

/**
 * Attempts by channel, quarter of an hour, model, reason and status of the provider. Beside the members below, a column for each
 * bucket of the histograms: `first_token_0`, `duration_0` and so on, in the order of `BUCKET_BOUNDS_MS`.
 */
@Entity('attempt_totals')
@Index('attempt_totals_created_at', ['createdAt'])
export class AttemptTotalEntity {
  @PrimaryColumn({ name: 'channel_id', type: 'integer' })
  channelId!: number;

  /** Start of the quarter of an hour, seconds. */
  @PrimaryColumn({ name: 'created_at', type: 'bigint', transformer: safeInteger })
  createdAt!: number;

  @PrimaryColumn({ name: 'model_name', type: 'varchar', length: 255 })
  modelName!: string;

  /** Empty = the attempt answered. */
  @PrimaryColumn({ name: 'reason', type: 'varchar', length: 40 })
  reason!: string;

  /** Status of the provider; 0 = none. */
  @PrimaryColumn({ name: 'status', type: 'integer' })
  status!: number;

  @SmallColumn('attempts', { default: 0 })
  attempts!: number;

  /** Attempts that count as failures of the channel. */
  @SmallColumn('failures', { default: 0 })
  failures!: number;

  /** Tokens of streamed answers, and milliseconds from their first content to their end. */
  @CounterColumn('output_tokens')
  outputTokens!: number;

  @CounterColumn('output_ms')
  outputMs!: number;

  /** Tokens that the provider bills for attempts that failed. */
  @CounterColumn('billed_tokens')
  billedTokens!: number;
}

for (let bucket = 0; bucket < BUCKET_COUNT; bucket += 1) {
  SmallColumn(`first_token_${bucket}`, { default: 0 })(AttemptTotalEntity.prototype, `firstToken${bucket}`);
  SmallColumn(`duration_${bucket}`, { default: 0 })(AttemptTotalEntity.prototype, `duration${bucket}`);
}
