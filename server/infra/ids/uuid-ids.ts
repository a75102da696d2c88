import { randomFillSync } from 'node:crypto';
import { Ids } from '../../relay-core/ports/ids.js';

const POOL_BYTES = 8_192;
const RANDOM_BYTES = 10;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** UUIDv7 (RFC 9562): 48 bits of milliseconds, then 74 random bits drawn from a refilled pool. */
export class UuidIds extends Ids {
  private readonly pool = Buffer.allocUnsafe(POOL_BYTES);
  private offset = POOL_BYTES;

  callId(): string {
    if (this.offset + RANDOM_BYTES > POOL_BYTES) {
      randomFillSync(this.pool);
      this.offset = 0;
    }
    const now = Date.now();
    const time = now.toString(16).padStart(12, '0');
    const at = this.offset;
    this.offset += RANDOM_BYTES;
    const byte = (index: number): number => this.pool[at + index] ?? 0;
    const hex = (index: number): string => HEX[byte(index)] ?? '00';
    const version = HEX[0x70 | (byte(0) & 0x0f)] ?? '70';
    const variant = HEX[0x80 | (byte(2) & 0x3f)] ?? '80';
    return (
      `${time.slice(0, 8)}-${time.slice(8)}-${version}${hex(1)}-${variant}${hex(3)}-` +
      `${hex(4)}${hex(5)}${hex(6)}${hex(7)}${hex(8)}${hex(9)}`
    );
  }
}
