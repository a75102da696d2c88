import { existsSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { RESERVE_FILE } from './spool-names.js';

const CHUNK_BYTES = 4 * 1024 * 1024;

/**
 * Disk space kept back for the records of calls that already run: a file of zeros that is given up when the disk is full.
 * Paid work stops as soon as it is gone, and goes on when there is room to make it again.
 */
export class SpoolReserve {
  private readonly path: string;
  private isMaking = false;

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
    if (this.bytes === 0 || this.isMaking) return true;
    if (existsSync(this.path) && statSync(this.path).size >= this.bytes) return true;
    this.make();
    return false;
  }

  /** @returns false when there was nothing left to give up */
  release(): boolean {
    if (!existsSync(this.path)) return false;
    rmSync(this.path, { force: true });
    return true;
  }

  private make(): void {
    if (this.bytes === 0 || this.isMaking || existsSync(this.path)) return;
    this.isMaking = true;
    this.write()
      .catch((error: unknown) => this.onFault('the spool reserve could not be made', error))
      .finally(() => {
        this.isMaking = false;
      });
  }

  private async write(): Promise<void> {
    const draft = `${this.path}-${process.pid}`;
    const file = await open(draft, 'w', 0o600);
    try {
      const zeros = Buffer.alloc(Math.min(CHUNK_BYTES, this.bytes));
      for (let done = 0; done < this.bytes; done += zeros.length) {
        await file.write(zeros, 0, Math.min(zeros.length, this.bytes - done));
      }
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    await rename(draft, this.path);
  }
}
