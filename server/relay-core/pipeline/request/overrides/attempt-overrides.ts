import { getOrAdd } from '../../../../common/get-or-add.js';
import { ok, type Result } from '../../../../common/result.js';
import type { IncomingCall } from '../../../model/call.js';
import type { RelayError } from '../../../model/relay-error.js';
import type { Route } from '../../../ports/channel-picker.js';
import { overrideHeaders } from './header-override.js';
import { isFullForm } from './override-rules.js';
import { type OverrideContext, overrideRequest } from './param-override.js';

type Override = Readonly<Record<string, unknown>>;

/** Facts that the overrides of one attempt may read beside its request. */
export interface AttemptFacts {
  readonly call: Pick<IncomingCall, 'headers' | 'path'>;
  /** Name the caller asked for. */
  readonly model: string;
  /** 0 = first attempt. */
  readonly index: number;
  readonly lastError: RelayError | undefined;
  readonly isChannelTest: boolean;
  /** Account of the caller; absent = nothing was stored for an account. */
  readonly ownerId?: number;
}

interface Parts {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * The channel's header override, then its parameter override, over a request that is ready but for its signature.
 * @param overridesBody  false = only headers (the operator passes bodies through, or the body is no JSON)
 * Fails: when an operation refuses the call.
 */
export function overrideAttempt(
  request: Parts,
  route: Route,
  facts: AttemptFacts,
  overridesBody: boolean,
): Result<Parts, RelayError> {
  const callerHeaders = facts.call.headers;
  const { credential, headerOverride } = route;
  const headers = overrideHeaders(request.headers, headerOverride, { credential, callerHeaders });
  if (!overridesBody || route.paramOverride === undefined) return ok({ headers, body: request.body });
  return overrideRequest({ headers, body: request.body }, route.paramOverride, {
    context: contextOf(route, facts),
    callerHeaders,
  });
}

function contextOf(
  route: Route,
  { call, model, index, lastError, isChannelTest }: AttemptFacts,
): OverrideContext {
  const upstream = lastError?.blame === 'upstream' ? lastError : undefined;
  return {
    model,
    upstreamModel: route.upstreamModel,
    requestPath: call.path,
    retryIndex: index,
    isChannelTest,
    ...(lastError === undefined
      ? {}
      : {
          lastError: {
            message: lastError.message,
            status: upstream?.upstreamStatus,
            code: upstream?.vendorCode,
            type: upstream?.vendorType,
          },
        }),
  };
}

const merged = new WeakMap<Override, WeakMap<Override, Override>>();

/** The operations of a kind of conversation, then the channel's own. The same two give the same object. */
function joinOverrides(first: Override | undefined, second: Override | undefined): Override | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const known = getOrAdd(merged, first, () => new WeakMap());
  return getOrAdd(known, second, () => ({ operations: [...operationsIn(first), ...operationsIn(second)] }));
}

function operationsIn(override: Override): readonly unknown[] {
  const list = override['operations'];
  if (isFullForm(override) && Array.isArray(list)) return list;
  return Object.entries(override).map(([path, value]) => ({ mode: 'set', path, value }));
}

/** The route with what its conversation overrides, too. */
export const withOverride = (route: Route, override: Route['paramOverride']): Route =>
  override === undefined ? route : { ...route, paramOverride: joinOverrides(override, route.paramOverride) };
