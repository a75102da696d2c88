import { Injectable, Logger } from '@nestjs/common';
import { SharedStore, type Json } from '../../infra/shared-store/shared-store.js';
import type { ThoughtSignature } from '../../relay-core/model/content.js';
import { LocalSignatureStore } from '../../relay-core/pipeline/request/stored-signatures.js';
import { Clock } from '../../common/clock.js';
import { SignatureStore } from '../../relay-core/ports/signature-store.js';

/** An agent's turn lasts minutes; who comes back later gets the vendor's stand-in. */
const RETENTION_MS = 60 * 60 * 1_000;
/** Maximum number of writes to the shared store per minute, process and account: all accounts share the store's memory. */
const MAX_SHARED = 600;
const MAX_SHARED_OF_ONE = 120;
const WINDOW_MS = 60_000;

/**
 * In memory for this process, in the shared store for the others. The store is queried only for keys this process did not keep, and
 * only where a call's id marks a kept proof; when it is away, nothing is found.
 */
@Injectable()
export class SharedSignatureStore extends SignatureStore {
  private readonly logger = new Logger('SignatureStore');
  private readonly local = new LocalSignatureStore();

  private window = { untilMs: 0, total: 0, byOwner: new Map<number, number>() };

  constructor(
    private readonly store: SharedStore,
    private readonly clock: Clock,
  ) {
    super();
  }

  override keep(ownerId: number, key: string, signature: ThoughtSignature): void {
    if (!this.local.keep(ownerId, key, signature) || !this.mayShare(ownerId)) return;
    const { by, data } = signature;
    this.store.cache.set(nameOf(ownerId, key), { by, data }, RETENTION_MS).catch((error: unknown) => {
      // Another instance sends the stand-in: one forgotten thought.
      this.logger.debug(`a signature could not be shared: ${String(error)}`);
    });
  }

  override find(
    ownerId: number,
    keys: readonly string[],
  ): ReadonlyMap<string, ThoughtSignature> | Promise<ReadonlyMap<string, ThoughtSignature>> {
    const found = this.local.find(ownerId, keys);
    const missing = keys.filter((key) => !found.has(key));
    return missing.length === 0 ? found : this.findShared(ownerId, missing, found);
  }

  private mayShare(ownerId: number): boolean {
    const nowMs = this.clock.nowMs();
    if (nowMs >= this.window.untilMs)
      this.window = { untilMs: nowMs + WINDOW_MS, total: 0, byOwner: new Map() };
    const { total, byOwner } = this.window;
    const own = byOwner.get(ownerId) ?? 0;
    if (total >= MAX_SHARED || own >= MAX_SHARED_OF_ONE) return false;
    this.window.total += 1;
    byOwner.set(ownerId, own + 1);
    return true;
  }

  private async findShared(
    ownerId: number,
    keys: readonly string[],
    found: Map<string, ThoughtSignature>,
  ): Promise<ReadonlyMap<string, ThoughtSignature>> {
    const read = async (key: string): Promise<void> => {
      const signature = signatureIn(await this.store.cache.get(nameOf(ownerId, key)));
      if (signature === undefined) return;
      found.set(key, signature);
      this.local.keep(ownerId, key, signature);
    };
    // Proofs the store does not return are treated as missing.
    await Promise.allSettled(keys.map(read));
    return found;
  }
}

const nameOf = (ownerId: number, key: string): string => `signature:${ownerId}:${key}`;

function signatureIn(value: Json | undefined): ThoughtSignature | undefined {
  if (typeof value !== 'object' || value === null || !('by' in value) || !('data' in value)) return undefined;
  const { by, data } = value;
  const isKnown = by === 'anthropic' || by === 'google' || by === 'openai';
  return isKnown && typeof data === 'string' ? { by, data } : undefined;
}
