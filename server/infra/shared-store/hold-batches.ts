import type { HoldOutcome, HoldRequest } from './shared-store.js';

interface Waiting {
  readonly request: HoldRequest;
  readonly resolve: (outcome: HoldOutcome) => void;
  readonly reject: (fault: unknown) => void;
}

/** A script blocks the store while it runs: about a millisecond for this many calls. */
const MAX_CALLS = 64;

/**
 * Gathers the calls of one turn of the event loop, so that they cost one trip and one script. A call waits for no later ones: its
 * turn is over as soon as the sockets that were ready have been read.
 */
export class HoldBatches {
  private waiting: Waiting[] = [];

  /**
   * @param place  answers in the order of the requests; its fault is the fault of every call in the batch
   * @param groupOf  calls of different groups never share a batch
   */
  constructor(
    private readonly place: (requests: readonly HoldRequest[]) => Promise<readonly HoldOutcome[]>,
    private readonly groupOf: (request: HoldRequest) => number,
  ) {}

  add(request: HoldRequest): Promise<HoldOutcome> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(this.flush);
      this.waiting.push({ request, resolve, reject });
    });
  }

  private readonly flush = (): void => {
    const all = this.waiting;
    this.waiting = [];
    for (const group of Map.groupBy(all, ({ request }) => this.groupOf(request)).values()) {
      for (let from = 0; from < group.length; from += MAX_CALLS)
        this.send(group.slice(from, from + MAX_CALLS));
    }
  };

  private send(batch: readonly Waiting[]): void {
    this.place(batch.map(({ request }) => request)).then(
      (outcomes) => {
        batch.forEach(({ resolve, reject }, index) => {
          const outcome = outcomes[index];
          if (outcome === undefined)
            reject(new Error('the shared store answered fewer calls than it was asked about'));
          else resolve(outcome);
        });
      },
      (fault: unknown) => {
        for (const { reject } of batch) reject(fault);
      },
    );
  }
}
