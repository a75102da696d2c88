/** The body of every console answer. */
export interface Envelope {
  readonly success: boolean;
  readonly message: string;
  readonly data?: unknown;
  readonly [member: string]: unknown;
}

/**
 * Result of a controller that needs more than plain data: a message, or members beside `data` (`time`, `group_ratio`).
 * Plain returned values become `{success: true, message: '', data}`.
 */
export class EnvelopeReply {
  constructor(
    readonly data: unknown,
    readonly message = '',
    readonly members: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
    /** False for a failure that still returns members, such as the time of a failed test. */
    readonly success = true,
  ) {}
}
