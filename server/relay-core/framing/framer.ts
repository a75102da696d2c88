/**
 * Framing of a streamed reply's events. `aws-messages`: AWS frames around the events of Anthropic's Messages, which their reader
 * passes on as an event stream. `named-sse`: an event stream whose events are distinguished by their names only.
 */
export type Framing = 'sse' | 'named-sse' | 'aws-event-stream' | 'aws-messages' | 'json-lines' | 'json-array';

/** Receives the events of one stream, however they are framed. Offsets are valid during the call only. */
export interface FrameSink {
  /**
   * @param bytes     holds the whole frame
   * @param rawStart  first byte of the frame
   * @param rawEnd    byte behind it
   * @param data      buffer the data stands in: `bytes`, or a copy
   * @param name      the frame's own name, from framings that have one beside the data; else empty
   * @returns false to stop reading: what follows in the chunk is dropped
   */
  onEvent(
    bytes: Buffer,
    rawStart: number,
    rawEnd: number,
    data: Buffer,
    dataStart: number,
    dataEnd: number,
    name: string,
  ): boolean;
}

/** Cuts a stream's bytes into events, at any split. */
export interface Framer {
  /** Set when a frame passed its limit; nothing is read from then on. */
  readonly isTooLarge: boolean;
  /** Set when the bytes are not of this framing (a broken checksum, no array); nothing is read from then on. */
  readonly isBroken: boolean;
  push(chunk: Buffer): void;
  /** The stream ended. */
  finish(): void;
}
