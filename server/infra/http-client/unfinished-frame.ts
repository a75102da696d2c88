import type { FrameMemory } from '../../relay-core/ports/realtime-socket.js';

/** Bytes between two looks at the memory. */
const STEP_BYTES = 64 * 1024;
/** Memory of a chunk beside its bytes. */
const CHUNK_BYTES = 128;
/** Header of a control frame, and the mask of clients. */
const HEADER_BYTES = 2;
const MASK_BYTES = 4;

/** Counts the bytes of a frame until it is whole, however many fragments it comes in. */
export class UnfinishedFrame {
  private bytes = 0;
  private chunks = 0;
  private heldBytes = 0;
  private wholeFrames = 0;
  private framesBefore = -1;
  private memory: FrameMemory | undefined;
  private onFull: () => void = () => undefined;

  /** @param isMasked  the other end is a client, whose frames are masked */
  constructor(private readonly isMasked: boolean) {}

  /** Holds memory for the frame from now on. @param onFull  called when there is no room for it */
  limit(memory: FrameMemory, onFull: () => void): void {
    this.memory = memory;
    this.onFull = onFull;
    this.hold();
  }

  /** A chunk was read; the frames that it completes follow. */
  addChunk(length: number): void {
    this.bytes += length;
    this.chunks += 1;
    if (this.bytes + this.chunks * CHUNK_BYTES - this.heldBytes >= STEP_BYTES) this.hold();
  }

  /** A frame is whole. */
  finish(): void {
    this.bytes = 0;
    this.chunks = 0;
    this.wholeFrames += 1;
    if (this.heldBytes > 0) this.release();
  }

  /** A ping or a pong is no part of the frame it comes in the middle of. */
  skipControl(length: number): void {
    this.bytes = Math.max(0, this.bytes - length - HEADER_BYTES - (this.isMasked ? MASK_BYTES : 0));
  }

  /** True when the same frame has been coming since the last look. */
  hasNotGrownWhole(): boolean {
    const isSame = this.bytes > 0 && this.wholeFrames === this.framesBefore;
    this.framesBefore = this.bytes > 0 ? this.wholeFrames : -1;
    return isSame;
  }

  /** The connection is closed. */
  release(): void {
    this.memory?.holdBytes(-this.heldBytes);
    this.heldBytes = 0;
  }

  private hold(): void {
    const { memory } = this;
    const more = this.bytes + this.chunks * CHUNK_BYTES - this.heldBytes;
    if (memory === undefined || more <= 0) return;
    const hasRoom = memory.hasRoomFor(more);
    this.heldBytes += more;
    memory.holdBytes(more);
    if (!hasRoom) this.onFull();
  }
}
