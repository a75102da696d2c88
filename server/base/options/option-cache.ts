import { z } from 'zod';
import { parseJson } from '../../common/parse-json.js';
import type { SecretBox } from '../../infra/crypto/secret-box.js';
import type { SharedCache } from '../../infra/shared-store/shared-store.js';

/** Retention of an entry without a change: rows edited by hand, without their history, are read after it at the latest. */
const RETENTION_MS = 3_600_000;
/** Larger documents stay in SQL alone: every instance would read them from one Redis. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

const entrySchema = z.array(z.tuple([z.string(), z.string()]));

/** Stored texts by option, secrets sealed. */
export type StoredTexts = ReadonlyMap<string, string>;

/**
 * The stored options of one installation in the shared store: one sealed entry for each state of the table. The place of the entry is
 * sealed with it, so that one of another installation or another state does not open.
 */
export class OptionCache {
  private written: string | undefined;

  /** @param onFault  called with each failure of the store; nothing else depends on it */
  constructor(
    private readonly cache: SharedCache,
    private readonly secrets: SecretBox,
    private readonly installation: string,
    private readonly onFault: (fault: unknown) => void,
  ) {}

  /**
   * The options of exactly this state. Never fails.
   * @returns undefined when there is no entry, it does not open under this CRYPTO_SECRET, or the store is away
   */
  async read(state: string): Promise<StoredTexts | undefined> {
    const key = this.keyOf(state);
    let sealed: unknown;
    try {
      sealed = await this.cache.get(key);
    } catch (error) {
      this.onFault(error);
      return undefined;
    }
    if (typeof sealed !== 'string') return undefined;
    try {
      return new Map(entrySchema.parse(parseJson(this.secrets.open('option-cache', key, sealed))));
    } catch {
      // Sealed by another secret, or damaged.
      return undefined;
    }
  }

  /** Writes the entry of a state and removes the one this instance wrote before, without waiting. Never fails. */
  write(state: string, stored: StoredTexts): void {
    const key = this.keyOf(state);
    const text = JSON.stringify([...stored]);
    if (text.length > MAX_CHARACTERS) return;
    const before = this.written;
    this.written = key;
    this.set(key, this.secrets.seal('option-cache', key, text), RETENTION_MS);
    if (before !== undefined && before !== key) this.set(before, null, 1);
  }

  private set(key: string, value: string | null, ttlMs: number): void {
    this.cache.set(key, value, ttlMs).catch(this.onFault);
  }

  private keyOf(state: string): string {
    return `options:${this.installation}:${state}`;
  }
}
