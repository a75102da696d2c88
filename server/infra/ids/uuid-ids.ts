import { randomFillSync } from 'node:crypto';
import type { Clock } from '../../common/clock.js';
import { Ids } from '../../common/ids.js';

const POOL_BYTES = 8_192;
const RANDOM_BYTES = 10;
const TEXT_LENGTH = 36;
const HYPHEN = 0x2d;
const DIGITS = Buffer.from('0123456789abcdef');

/** UUIDv7 (RFC 9562): 48 bits of milliseconds, then 74 random bits drawn from a refilled pool. */
export class UuidIds extends Ids {
  private readonly pool = Buffer.allocUnsafe(POOL_BYTES);
  private offset = POOL_BYTES;
  /** The id in the making; the digits of the time stay while the millisecond lasts. */
  private readonly text = Buffer.alloc(TEXT_LENGTH, HYPHEN);
  private timeMs = 0;

  /** @param clock  the application's, so that ids and rows have the same time; absent = the machine's */
  constructor(private readonly clock?: Pick<Clock, 'nowMs'>) {
    super();
  }

  callId(): string {
    if (this.offset + RANDOM_BYTES > POOL_BYTES) {
      randomFillSync(this.pool);
      this.offset = 0;
    }
    this.writeTime();
    const { pool, offset } = this;
    this.offset = offset + RANDOM_BYTES;
    this.writeByte(14, 0x70 | ((pool[offset] as number) & 0x0f));
    this.writeByte(16, pool[offset + 1] as number);
    this.writeByte(19, 0x80 | ((pool[offset + 2] as number) & 0x3f));
    this.writeByte(21, pool[offset + 3] as number);
    for (let index = 4; index < RANDOM_BYTES; index += 1)
      this.writeByte(16 + index * 2, pool[offset + index] as number);
    return this.text.toString('latin1');
  }

  private writeTime(): void {
    const nowMs = this.clock?.nowMs() ?? Date.now();
    if (nowMs === this.timeMs) return;
    this.timeMs = nowMs;
    const high = Math.floor(nowMs / 0x10000);
    for (let index = 0; index < 4; index += 1) this.writeByte(index * 2, (high >>> (24 - index * 8)) & 0xff);
    this.writeByte(9, (nowMs >>> 8) & 0xff);
    this.writeByte(11, nowMs & 0xff);
  }

  private writeByte(at: number, byte: number): void {
    this.text[at] = DIGITS[byte >> 4] as number;
    this.text[at + 1] = DIGITS[byte & 0x0f] as number;
  }
}
