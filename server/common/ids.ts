export abstract class Ids {
  /** UUIDv7. */
  abstract callId(): string;
}
