import type { Clock } from '../../common/clock.js';

/** Frames one side may send in a second; speech takes fifty. */
const MAX_FRAMES_PER_SECOND = 1_000;
/** Bytes of them; base64 audio is 64 KB a second in real time, and a recording is sent faster. */
const MAX_BYTES_PER_SECOND = 4 * 1024 * 1024;
const SECOND_MS = 1_000;

/** Limits the rate of one side of a session: beyond it, it waits until its seconds are over. */
export class FrameRateLimiter {
  isWaiting = false;
  private secondEndsMs = -Infinity;
  private frames = 0;
  private bytes = 0;
  private cancel: () => void = () => undefined;

  /** @param goOn  the side may send on */
  constructor(
    private readonly clock: Clock,
    private readonly goOn: () => void,
  ) {}

  /** @returns whether the side is to wait from now on; what it has sent stands */
  count(frameBytes: number, nowMs: number): boolean {
    if (nowMs >= this.secondEndsMs) {
      this.secondEndsMs = nowMs + SECOND_MS;
      this.frames = 0;
      this.bytes = 0;
    }
    this.frames += 1;
    this.bytes += frameBytes;
    const isOver = this.frames >= MAX_FRAMES_PER_SECOND || this.bytes > MAX_BYTES_PER_SECOND;
    if (!isOver || this.isWaiting) return false;
    // A frame as large as several seconds' worth is paid for with as many.
    const seconds = Math.max(1, Math.ceil(this.bytes / MAX_BYTES_PER_SECOND) - 1);
    this.secondEndsMs += (seconds - 1) * SECOND_MS;
    this.isWaiting = true;
    this.cancel = this.clock.after(this.secondEndsMs - nowMs, () => {
      this.isWaiting = false;
      this.goOn();
    });
    return true;
  }

  stop(): void {
    this.isWaiting = false;
    this.cancel();
  }
}
