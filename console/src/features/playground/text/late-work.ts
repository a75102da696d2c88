/** So long one slice may hold up a frame. */
const SLICE_MS = 6;
/** Between two slices a frame comes. */
const PAUSE_MS = 16;

/** Work on text that can be read already, such as its colours. Runs in slices, so that frames and input come between. */
export class LateWork {
  private readonly waiting = new Set<() => void>();
  private isPlanned = false;

  /** @returns a function that withdraws the work */
  plan(work: () => void): () => void {
    this.waiting.add(work);
    this.planSlice();
    return () => void this.waiting.delete(work);
  }

  private planSlice(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    setTimeout(() => this.runSlice(), PAUSE_MS);
  }

  private runSlice(): void {
    this.isPlanned = false;
    const startedMs = performance.now();
    for (const work of this.waiting) {
      this.waiting.delete(work);
      work();
      if (performance.now() - startedMs >= SLICE_MS) break;
    }
    if (this.waiting.size > 0) this.planSlice();
  }
}

const ofPage = new LateWork();

/**
 * Fetches code once for the whole page, in a task of its own: naming its files to the browser takes as long as a drawing on a slow
 * machine. Undefined when it cannot be fetched: the text stays plain, which is still the text.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T | undefined> {
  let loading: Promise<T | undefined> | undefined;
  const fetchIt = async (): Promise<T | undefined> => {
    await new Promise((resolve) => setTimeout(resolve));
    return load().catch(() => undefined);
  };
  return () => (loading ??= fetchIt());
}

/**
 * Works with code that is fetched for it, between frames.
 * @returns a function that withdraws the work
 */
export function workLate<T>(load: () => Promise<T | undefined>, work: (code: T) => void): () => void {
  let withdraw: (() => void) | undefined;
  let isWithdrawn = false;
  void load().then((code) => {
    if (code !== undefined && !isWithdrawn) withdraw = ofPage.plan(() => work(code));
  });
  return () => {
    isWithdrawn = true;
    withdraw?.();
  };
}
