import type { SharedStore } from '../../../infra/shared-store/shared-store.js';
import type { Clock } from '../../../common/clock.js';
import { StartRefusal } from '../../../common/errors/start-refusal.js';
import type { OtherStoreInstance, Instances } from '../ledger/instances.js';

const RECHECK_MS = 500;
/** A store that was emptied has another name at once; so long all workers may need to notice and report it. */
const NOTICED_WITHIN_MS = 6_000;
/** Interval at which this worker records that it lives, and with which store. */
const SIGN_EVERY_MS = 5_000;
/** Longer than between two heartbeats: who had none in this time was killed. */
const PROOF_OF_LIFE_MS = SIGN_EVERY_MS + 3_000;

/**
 * Workers on one database must share one store. With two, each takes the other's pools for those of a lost epoch, gives their money
 * back, and both spend it.
 */
export class SharedStoreAgreement {
  /** Workers elsewhere as they were first seen, by boot id. */
  private seen = new Map<string, { readonly atMs: number; readonly instance: OtherStoreInstance }>();

  private announcedAtMs = -Infinity;

  constructor(
    private readonly ports: {
      readonly instances: Instances;
      readonly store: SharedStore;
      readonly clock: Clock;
    },
  ) {}

  /** False while a worker uses another store: what looks like money of a lost store may be in use there. */
  get isAgreed(): boolean {
    return this.seen.size === 0;
  }

  /**
   * Runs at start, before anything is taken for lost. Waits only while a worker seems to use another store: until that worker names
   * this one, sends a heartbeat, or must be dead. Fails: StartRefusal.
   */
  async agree(): Promise<void> {
    const { instances, store } = this.ports;
    if ((await instances.listWithOtherStore()).length === 0) return;
    if (await this.within(NOTICED_WITHIN_MS, (elsewhere) => elsewhere.length === 0)) return;
    const before = new Map(
      (await instances.listWithOtherStore()).map((other) => [other.bootId, other.lastSeenMs]),
    );
    let alive: OtherStoreInstance | undefined;
    await this.within(PROOF_OF_LIFE_MS, (elsewhere) => {
      alive = elsewhere.find(({ bootId, lastSeenMs }) => (before.get(bootId) ?? lastSeenMs) < lastSeenMs);
      return alive !== undefined || elsewhere.length === 0;
    });
    if (alive !== undefined) throw new StartRefusal(refusal(alive, store.identity));
  }

  /** While this worker runs: one that is elsewhere, alive and stays so is a reason not to trust the store. Repeated every few seconds. */
  async watch(): Promise<void> {
    const { instances, clock, store } = this.ports;
    const nowMs = clock.monotonicMs();
    if (store.identity !== null && (instances.hasNewStore || nowMs - this.announcedAtMs >= SIGN_EVERY_MS)) {
      await instances.heartbeat();
      this.announcedAtMs = nowMs;
    }
    const elsewhere = await instances.listWithOtherStore();
    this.seen = new Map(
      elsewhere.map((instance) => {
        const known = this.seen.get(instance.bootId);
        return [
          instance.bootId,
          known?.instance.storeId === instance.storeId ? known : { atMs: nowMs, instance },
        ];
      }),
    );
    const lasting = elsewhere.find(({ bootId, lastSeenMs }) => {
      const known = this.seen.get(bootId);
      return (
        known !== undefined &&
        nowMs - known.atMs >= NOTICED_WITHIN_MS &&
        lastSeenMs > known.instance.lastSeenMs
      );
    });
    if (lasting !== undefined)
      store.setUnusable(`the instance on ${lasting.host} works on this database with another one`);
    else if (elsewhere.length === 0) store.setUnusable(null);
  }

  /** Looks again and again. @returns false when what is awaited did not come about in this time */
  private async within(
    waitMs: number,
    isIt: (elsewhere: readonly OtherStoreInstance[]) => boolean,
  ): Promise<boolean> {
    const { instances, clock } = this.ports;
    const dueMs = clock.monotonicMs() + waitMs;
    while (clock.monotonicMs() < dueMs) {
      await new Promise<void>((resolve) => clock.after(RECHECK_MS, resolve));
      if (isIt(await instances.listWithOtherStore())) return true;
    }
    return false;
  }
}

function refusal({ host, storeId }: OtherStoreInstance, own: string | null): string {
  const neighbour = `the instance that runs on ${host} with the same database`;
  const what =
    own === 'memory'
      ? `it is not set, and ${neighbour} has one`
      : storeId === 'memory'
        ? `${neighbour} does without`
        : `it leads to another Redis, or another database of it, than that of ${neighbour}`;
  return `REDIS_URL: ${what}: both would spend the same quota. Give all instances the same one; to change it, stop all of them first.`;
}
