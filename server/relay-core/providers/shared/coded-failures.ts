import type { Operation } from '../../model/operation.js';
import type { FailedReply, ProviderOperation } from '../provider.js';
import { readErrorInside, readFailedReply } from './openai-compatible-error.js';
import { parseJson } from '../../../common/parse-json.js';
import { secretsOf } from './channel-secrets.js';

/** Failure as reported by a vendor with codes of its own. */
export interface CodedFailure {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

export interface FailureCodes {
  /** Code and sentence, wherever the vendor puts them. */
  read(document: unknown): CodedFailure;
  /** The status a code stands for; undefined = none. */
  statusOf(code: string): number | undefined;
}

/**
 * Failures of a vendor that numbers them, most of which come inside a 200: the number decides whose fault it is. Of a reply with a
 * status of its own the status decides.
 */
export const codedFailures = (
  codes: FailureCodes,
): Pick<ProviderOperation<Operation>, 'readError' | 'readErrorDocument'> => ({
  readError: (reply, route) => readFailedReply({ ...reply, body: plainBody(codes, reply) }, secretsOf(route)),
  readErrorDocument: (document, route) => {
    const { code, message } = codes.read(document);
    const status = code === undefined ? undefined : codes.statusOf(code);
    return readErrorInside({ error: { ...said({ code, message }), status } }, secretsOf(route));
  },
});

function plainBody(codes: FailureCodes, reply: FailedReply): Buffer {
  const failure = said(codes.read(parseJson(reply.body)));
  // Pages of proxies are no failure of the vendor's form.
  return Object.keys(failure).length === 0 ? reply.body : Buffer.from(JSON.stringify({ error: failure }));
}

const said = ({ code, message }: CodedFailure): CodedFailure => ({
  ...(code === undefined ? {} : { code }),
  ...(message === undefined ? {} : { message }),
});

/** Code → status, from rows of a status and its codes. */
export const statusTable = (
  rows: readonly (readonly [status: number, codes: string])[],
): ReadonlyMap<string, number> =>
  new Map(rows.flatMap(([status, codes]) => codes.split(' ').map((code) => [code, status] as const)));

/** A code as text, whether it came as a figure or as words. */
export const codeOf = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
