import { existsSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RESERVE_FILE } from './spool-names.js';

const CHUNK_BYTES = 4 * 1024 * 1024;
const ROOM_FACTOR = 2;

/**
 * Disk space kept back for the records of calls that already run: a file of zeros that is given up when the disk is full.
 * Paid work stops as soon as it is gone, and goes on when there is room to make it again.
 */
export class SpoolReserve {
  private readonly path: string;
  private making: Promise<void> | null = null;
  private isClosed = false;
  private wasReleased = false;

  constructor(
    root: string,
    private readonly bytes: number,
    private readonly onFault: (message: string, error: unknown) => void,
  ) {
    this.path = join(root, RESERVE_FILE);
    this.make();
  }

  /** True while the reserve is there, or not yet made for the first time. Starts making it anew when it is not. */
  isWhole(): boolean {
    if (this.bytes === 0) return true;
    if (existsSync(this.path) && statSync(this.path).size >= this.bytes) {
      this.wasReleased = false;
      return true;
    }
    if (this.making !== null) return !this.wasReleased;
    this.wasReleased = true;
    // The remaining space belongs to the running calls: a reserve that does not fit would take it from them while it is tried.
    if (this.hasRoom()) this.make();
    return false;
  }

  /** @returns false when there was nothing left to give up */
  release(): boolean {
    if (!existsSync(this.path)) return false;
    rmSync(this.path, { force: true });
    return true;
  }

  /** Writes nothing any more once this resolves; a reserve half made is left to the next start. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.making;
  }

  /** Room for the reserve and for records that are written meanwhile. */
  private hasRoom(): boolean {
    const { bavail, bsize } = statfsSync(dirname(this.path));
    return bavail * bsize > ROOM_FACTOR * this.bytes;
  }

  private make(): void {
    if (this.bytes === 0 || this.isClosed || this.making !== null || existsSync(this.path)) return;
    this.making = this.write()
      .catch((error: unknown) => this.onFault('the spool reserve could not be made', error))
      .finally(() => {
        this.making = null;
      });
  }

  private async write(): Promise<void> {
    const draft = `${this.path}-${process.pid}`;
    const file = await open(draft, 'w', 0o600);
    let done = 0;
    try {
      const zeros = Buffer.alloc(Math.min(CHUNK_BYTES, this.bytes));
      for (; done < this.bytes && !this.isClosed; done += zeros.length) {
        await file.write(zeros, 0, Math.min(zeros.length, this.bytes - done));
      }
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    if (done < this.bytes) rmSync(draft, { force: true });
    else await rename(draft, this.path);
  }
}
