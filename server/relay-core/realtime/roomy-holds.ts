import type { Quota } from '../../common/quota.js';
import { fail, type Result } from '../../common/result.js';
import { refusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import type { ChannelRoom } from '../pipeline/stages/choose-channel.js';
import { type HeldTokens, QuotaHolds, type Hold } from '../ports/quota-holds.js';

const CHANNEL_LIMIT = refusal('channel-limit');

/** Holds of a session whose channel has limits: a hold grows only as far as these have room. */
export class RoomyHolds extends QuotaHolds {
  constructor(
    private readonly holds: QuotaHolds,
    private readonly room: Pick<ChannelRoom, 'admission'>,
  ) {
    super();
  }

  override async extend(hold: Hold, by: Quota, tokens?: HeldTokens): Promise<Result<Hold, RelayError>> {
    const { admission } = this.room;
    const hasRoom = await admission?.grow({ quota: by, inputTokens: 0, outputTokens: 0 });
    return hasRoom === false ? fail(CHANNEL_LIMIT) : this.holds.extend(hold, by, tokens);
  }

  override reserve(input: Parameters<QuotaHolds['reserve']>[0]): ReturnType<QuotaHolds['reserve']> {
    return this.holds.reserve(input);
  }

  override recordDispatch(...facts: Parameters<QuotaHolds['recordDispatch']>): Promise<void> {
    return this.holds.recordDispatch(...facts);
  }

  override recordCheckpoint(...facts: Parameters<QuotaHolds['recordCheckpoint']>): void {
    this.holds.recordCheckpoint(...facts);
  }

  override settle(...facts: Parameters<QuotaHolds['settle']>): Promise<void> {
    return this.holds.settle(...facts);
  }

  override release(hold: Hold): void {
    this.holds.release(hold);
  }
}
