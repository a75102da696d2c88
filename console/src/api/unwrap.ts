import * as z from 'zod/mini';
import { ApiError } from './api-error';

/** Members every console answer has. */
const envelopeSchema = z.looseObject({
  success: z.boolean(),
  message: z._default(z.string(), ''),
  code: z.optional(z.string()),
  data: z.optional(z.unknown()),
});

/** A successful answer: its data, and what came beside it. */
export interface Answer<T> {
  readonly data: T;
  readonly message: string;
  /** The whole envelope, for members beside `data` such as `time`. */
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/**
 * Turns an HTTP answer into its data.
 * Fails: ApiError for every status outside 2xx, for `success: false`, and for bodies that are not an envelope.
 */
export async function unwrap<T>(response: Response): Promise<Answer<T>> {
  const body = envelopeSchema.safeParse(await readJson(response));
  if (!response.ok || !body.success || !body.data.success) {
    throw new ApiError(
      response.status,
      body.data?.message ?? '',
      body.data?.code,
      body.data,
      secondsOf(response.headers.get('retry-after')),
    );
  }
  return {
    data: body.data.data as T,
    message: body.data.message,
    envelope: body.data,
    headers: response.headers,
  };
}

/** `Retry-After`, of which this server only sends the form in seconds. */
function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A proxy's error page or an empty body: the status says all there is to say.
    return undefined;
  }
}
