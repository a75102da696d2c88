import { ApiError } from './api-error';

/** Members every console answer has; whatever else is no answer of this server. */
interface Envelope {
  readonly success: boolean;
  readonly message?: string;
  readonly code?: string;
}

/** Refusal in an HTTP answer: every status outside 2xx, `success: false`, and bodies that are no envelope. Undefined = it went well. */
export async function refusalOf(response: Response): Promise<ApiError | undefined> {
  const body = await readJson(response);
  const envelope = isEnvelope(body) ? body : undefined;
  if (response.ok && envelope?.success === true) return undefined;
  return new ApiError(response.status, envelope?.message ?? '', {
    code: envelope?.code,
    envelope: envelope === undefined ? undefined : { ...envelope },
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
  });
}

const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'string';

function isEnvelope(body: unknown): body is Envelope {
  if (typeof body !== 'object' || body === null || !('success' in body)) return false;
  const { success, message, code } = body as Readonly<Record<string, unknown>>;
  return typeof success === 'boolean' && isTextOrAbsent(message) && isTextOrAbsent(code);
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
    // A proxy's error page or an empty body: the status is all there is.
    return undefined;
  }
}
