import type { RealtimeSocket } from '../ports/realtime-socket.js';

/** Looks after which a frame that is still not whole ends the session: a minute. */
const MAX_LATE_LOOKS = 4;

/** Looks in a row at which one side's frame was the same and not whole. */
export class LateFrames {
  private looks = 0;

  /** @returns whether it took too long */
  look(socket: RealtimeSocket): boolean {
    this.looks = socket.isFrameLate() ? this.looks + 1 : 0;
    return this.looks >= MAX_LATE_LOOKS;
  }
}
