/** The body of every console answer. */
export interface Envelope {
  readonly success: boolean;
  readonly message: string;
  readonly data?: unknown;
  readonly [member: string]: unknown;
}

/**
 * What a controller returns when plain data is not enough: a message, or members beside `data` (`time`, `group_ratio`).
 * Plain returned values become `{success: true, message: '', data}`.
 */
export class EnvelopeReply {
  constructor(
    readonly data: unknown,
    readonly message = '',
    readonly members: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
    /** False for an outcome that is a failure and yet has members to tell, such as the time of a failed test. */
    readonly success = true,
  ) {}
}
