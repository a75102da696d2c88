import { Entity, PrimaryColumn } from 'typeorm';
import { MillisecondsColumn, SmallColumn, TextColumn } from '../../infra/database/columns.js';
import { MAX_MESSAGE_CHARACTERS } from './counted-attempts.js';

/** The newest failure of a channel, with its provider's sentence. */
@Entity('channel_failures')
export class ChannelFailureEntity {
  @PrimaryColumn({ name: 'channel_id', type: 'integer' })
  channelId!: number;

  @MillisecondsColumn('failed_at_ms')
  failedAtMs!: number;

  @TextColumn('model_name', 255)
  modelName!: string;

  @TextColumn('reason', 40)
  reason!: string;

  @SmallColumn('status', { default: 0 })
  status!: number;

  /** Secrets are cut out before it is stored. */
  @TextColumn('message', MAX_MESSAGE_CHARACTERS)
  message!: string;
}
