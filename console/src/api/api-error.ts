/** A refusal or failure of the console API. `message` is the server's sentence, in the reader's language. */
export class ApiError extends Error {
  /** Stable machine-readable reason, when the server names one. */
  readonly code: string | undefined;
  /** The whole envelope, for refusals that carry figures (a channel test names its time). */
  readonly envelope: Readonly<Record<string, unknown>> | undefined;
  /** Wait that the server asks for; undefined when it names none. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    /** HTTP status; 0 when the server was not reached. */
    readonly status: number,
    message: string,
    details: Partial<Pick<ApiError, 'code' | 'envelope' | 'retryAfterSeconds'>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = details.code;
    this.envelope = details.envelope;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** A limit was reached: the same will do later. */
export const isTooMany = (error: unknown): error is ApiError => isApiError(error) && error.status === 429;

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}
