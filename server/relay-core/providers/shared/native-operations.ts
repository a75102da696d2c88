import { fail, type Result } from '../../../common/result.js';
import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { withoutOwnPath } from './base-address.js';
import { readErrorInside, readFailedReply } from './openai-compatible-error.js';
import type { ProviderCall, ProviderOperation } from '../provider.js';
import { joinAddress } from './upstream-address.js';
import { secretsOf } from './channel-secrets.js';

/** A vendor with grammars of its own, a Bearer key, and failures in one of the usual shapes. */
export interface NativeVendor {
  /** Empty = the channel must name one. */
  readonly defaultBaseUrl: string;
  /** Part of the vendor's paths that operators may have typed: the shared prefix, or a whole path. */
  readonly ownPath?: RegExp;
}

/** One operation of such a vendor. */
export function nativeOperation<O extends Operation>(
  vendor: NativeVendor,
  apiFormat: UpstreamFormat<O>,
  path: string | ((call: ProviderCall) => string),
  extras: Pick<ProviderOperation<O>, 'serves' | 'needsBytes' | 'describe'> & {
    readonly refusedMembers?: readonly string[];
    /** Accepted media type of a stream; absent = an event stream. */
    readonly streamType?: string;
  } = {},
): ProviderOperation<O> {
  const { refusedMembers = NONE, streamType = 'text/event-stream', ...hooks } = extras;
  return {
    apiFormat,
    address: (call) =>
      nativeAddress(vendor, call.route.baseUrl, typeof path === 'string' ? path : path(call)),
    headers: ({ route, shape }) => bearerHeaders(route.credential, shape.stream ? streamType : JSON_TYPE),
    edits: () => ({ dropStreamOptions: true, usesCompletionCap: false, refusedMembers }),
    readError: (reply, route) => readFailedReply(reply, secretsOf(route)),
    readErrorDocument: (document, route) => readErrorInside(document, secretsOf(route)),
    ...hooks,
  };
}

/** The address of a path at a vendor. Fails: upstream-unreachable. */
export function nativeAddress(
  vendor: NativeVendor,
  baseUrl: string,
  path: string,
): Result<string, RelayError> {
  const typed = vendor.ownPath === undefined ? baseUrl : withoutOwnPath(baseUrl, vendor.ownPath);
  const base = baseUrl === '' ? vendor.defaultBaseUrl : typed;
  if (base !== '') return joinAddress(base, path);
  return fail(refusal('base-missing'));
}

/** Headers of a request with a Bearer key; no key, no header. */
export function bearerHeaders(credential: string, accept: string): Readonly<Record<string, string>> {
  return {
    'content-type': JSON_TYPE,
    accept,
    'user-agent': 'tollgate',
    ...(credential === '' ? {} : { authorization: `Bearer ${credential}` }),
  };
}

const JSON_TYPE = 'application/json';
const NONE: readonly string[] = [];
