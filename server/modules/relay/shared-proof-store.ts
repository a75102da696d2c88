import { Injectable, Logger } from '@nestjs/common';
import { SharedStore, type Json } from '../../infra/shared-store/shared-store.js';
import type { Proof } from '../../relay-core/model/content.js';
import { LocalProofStore } from '../../relay-core/pipeline/request/stored-proofs.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { ProofStore } from '../../relay-core/ports/proof-store.js';

/** An agent's turn lasts minutes; who comes back later gets the vendor's stand-in. */
const KEPT_MS = 60 * 60 * 1_000;
/** Written to the shared store in a minute at most, by one process and for one account: the store's memory is everybody's. */
const MAX_SHARED = 600;
const MAX_SHARED_OF_ONE = 120;
const WINDOW_MS = 60_000;

/**
 * In memory for this process, in the shared store for the others. The store is asked only for keys this process did not keep,
 * and only where a call's id says that something was kept; when it is away, nothing is found.
 */
@Injectable()
export class SharedProofStore extends ProofStore {
  private readonly logger = new Logger('ProofStore');
  private readonly local = new LocalProofStore();

  private window = { untilMs: 0, total: 0, byOwner: new Map<number, number>() };

  constructor(
    private readonly store: SharedStore,
    private readonly clock: Clock,
  ) {
    super();
  }

  override keep(ownerId: number, key: string, proof: Proof): void {
    if (!this.local.keep(ownerId, key, proof) || !this.mayShare(ownerId)) return;
    const { by, data } = proof;
    this.store.cache.set(nameOf(ownerId, key), { by, data }, KEPT_MS).catch((error: unknown) => {
      // Another instance sends the stand-in: one forgotten thought.
      this.logger.debug(`a proof could not be shared: ${String(error)}`);
    });
  }

  override find(
    ownerId: number,
    keys: readonly string[],
  ): ReadonlyMap<string, Proof> | Promise<ReadonlyMap<string, Proof>> {
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
    found: Map<string, Proof>,
  ): Promise<ReadonlyMap<string, Proof>> {
    const read = async (key: string): Promise<void> => {
      const proof = proofIn(await this.store.cache.get(nameOf(ownerId, key)));
      if (proof === undefined) return;
      found.set(key, proof);
      this.local.keep(ownerId, key, proof);
    };
    // What the store does not give is not there.
    await Promise.allSettled(keys.map(read));
    return found;
  }
}

const nameOf = (ownerId: number, key: string): string => `proof:${ownerId}:${key}`;

function proofIn(value: Json | undefined): Proof | undefined {
  if (typeof value !== 'object' || value === null || !('by' in value) || !('data' in value)) return undefined;
  const { by, data } = value;
  const isKnown = by === 'anthropic' || by === 'google' || by === 'openai';
  return isKnown && typeof data === 'string' ? { by, data } : undefined;
}
