import { isRecord, parseJson } from '../shared/format/json';
import { ApiError } from './api-error';
import { postRaw } from './fetch-raw';

/** Calls of a signed-in account, in the shape of the relay: their refusals are no envelopes. */
export type CallPath = '/pg/chat/completions' | '/pg/images/generations' | '/pg/audio/speech';

/** A refusal of the relay with its whole body and the reference of the call. */
export class CallRefused extends ApiError {
  constructor(
    status: number,
    readonly body: string,
    readonly response: Response,
  ) {
    const document = parseJson(body);
    const error = isRecord(document) && isRecord(document['error']) ? document['error'] : document;
    const member = (name: string): string =>
      isRecord(error) && typeof error[name] === 'string' ? error[name] : '';
    super(status, member('message'), { code: member('code') });
  }
}

/**
 * Starts a call of the signed-in account.
 * Fails: CallRefused for a refusal, ApiError with status 0 when the server was not reached, AbortError when the signal ends it.
 * @returns the response; its header `x-request-id` is the reference of the call in the usage log
 */
export async function openCall(path: CallPath, body: unknown, signal: AbortSignal): Promise<Response> {
  const response = await postRaw(path, body, signal);
  if (response.ok) return response;
  throw new CallRefused(response.status, await response.text(), response);
}
