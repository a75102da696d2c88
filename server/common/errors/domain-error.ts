import type { ErrorCode } from './error-catalogue.js';

/** A business refusal. The error filter turns it into the envelope, in the caller's language (error-catalogue.ts). */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    /** Values for the `{name}` marks of the message. */
    readonly values: Readonly<Record<string, string | number>> = {},
    readonly retryAfterMs?: number,
  ) {
    super(code);
  }
}
