/** A refusal or failure of the console API. `message` is the server's sentence, in the reader's language. */
export class ApiError extends Error {
  constructor(
    /** HTTP status; 0 when the server was not reached. */
    readonly status: number,
    message: string,
    /** Stable machine-readable reason, when the server names one. */
    readonly code?: string,
    /** The whole envelope, for refusals that carry figures (a channel test names its time). */
    readonly envelope?: Readonly<Record<string, unknown>>,
    /** How long the server asks to wait; undefined when it does not say. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** A limit was reached: the same will do later. */
export const isTooMany = (error: unknown): error is ApiError => isApiError(error) && error.status === 429;

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}
