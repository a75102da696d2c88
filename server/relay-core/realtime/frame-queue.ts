type Step = (bytes: Buffer, isText: boolean) => Promise<void> | undefined;

/** Frames of one side in the order they came, also while one of them is being checked. */
export class FrameQueue {
  private held: { readonly bytes: Buffer; readonly isText: boolean }[] | undefined;

  /** @param ends  `step`: handles a frame and never fails; `onFree`: nothing is held any more */
  constructor(private readonly ends: { readonly step: Step; readonly onFree: () => void }) {}

  /** A check is running: the sending side should be paused. */
  get isHolding(): boolean {
    return this.held !== undefined;
  }

  take(bytes: Buffer, isText: boolean): void {
    if (this.held !== undefined) this.held.push({ bytes, isText });
    else this.wait(this.ends.step(bytes, isText));
  }

  private wait(asking: Promise<void> | undefined): void {
    if (asking === undefined) return;
    this.held ??= [];
    void asking.then(() => this.goOn());
  }

  private goOn(): void {
    for (let next = this.held?.shift(); next !== undefined; next = this.held?.shift()) {
      const asking = this.ends.step(next.bytes, next.isText);
      if (asking !== undefined) return this.wait(asking);
    }
    this.held = undefined;
    this.ends.onFree();
  }
}
