import { ZERO_QUOTA } from '../../common/quota.js';
import type { Result } from '../../common/result.js';
import type { Dialect, RouteOf } from '../dialects/dialect.js';
import type { Caller, IncomingCall } from '../model/call.js';
import type { RelayError } from '../model/relay-error.js';
import { NO_ATTEMPTS } from '../ports/call-watch.js';
import type { ClientReply } from '../ports/client-reply.js';
import type { UpstreamExchange, UpstreamRequest } from '../ports/http-sender.js';
import { NO_WORST_CASE } from '../ports/price-book.js';
import {
  findOperation,
  type ProviderCall,
  type ProviderCount,
  type ProviderOperation,
} from '../providers/provider.js';
import { ClientConnection } from './context/client-connection.js';
import { overrideHeaders } from './request/overrides/header-override.js';
import { nativeChannels, providerFacts, chooseChannel } from './stages/choose-channel.js';
import type { RelayPorts } from './context/relay-ports.js';
import { admitCall, quoteCall } from './stages/admit-quote-reserve.js';
import { identifyCaller, parseCall } from './stages/identify-and-parse.js';
import type { ClientCall } from './context/call-types.js';

/** Wait for a vendor's count; then ours is the answer. */
const COUNT_TIMEOUT_MS = 10_000;
/** A count is a number. */
const MAX_COUNT_BYTES = 64 * 1024;

type CountRoute = RouteOf<'chat'> & { readonly writeCount: (tokens: number) => Buffer };

/** Returns true when an address only counts. */
export const isCountRoute = (route: { readonly writeCount?: unknown }): route is CountRoute =>
  route.writeCount !== undefined;

/**
 * Counts the tokens of a prompt for callers that ask before they send it. The same checks as for a call, and a place in the
 * rate windows, but nothing is held and nothing charged. The channel's vendor counts when it takes the caller's format
 * and can; whatever goes wrong there, the gateway's own estimate is the answer.
 */
export async function countCall(
  ports: RelayPorts,
  call: IncomingCall,
  dialect: Dialect,
  route: CountRoute,
  reply: ClientReply,
): Promise<void> {
  const client = new ClientConnection(reply, dialect, route.apiFormat, ports.clock, call.callId);
  const counted = await count(ports, call, dialect, route, client);
  if (counted.ok) client.sendWhole(route.writeCount(counted.value), route.apiFormat.replyType);
  else {
    client.sendError(counted.error);
    ports.observer?.refused(undefined, counted.error, NO_ATTEMPTS);
  }
}

async function count(
  ports: RelayPorts,
  call: IncomingCall,
  dialect: Dialect,
  route: CountRoute,
  client: ClientConnection,
): Promise<Result<number, RelayError>> {
  const caller = await identifyCaller(ports, { call, dialect });
  if (!caller.ok) return caller;
  const clientCall = parseCall({ call, clientRoute: route });
  if (!clientCall.ok) return clientCall;
  const { shape } = clientCall.value.parsed;
  const windows = admitCall(ports, { caller: caller.value, clientCall: clientCall.value });
  if (!windows.ok) return windows;
  if (windows.value.length > 0) {
    const quote = quoteCall(ports, { caller: caller.value, shape });
    if (!quote.ok) return quote;
    const free = { ...FREE, snapshot: quote.value.snapshot };
    const held = await ports.quota.reserve({
      callId: call.callId,
      caller: caller.value,
      quote: free,
      windows: windows.value,
      countsNothing: true,
    });
    if (!held.ok) return held;
    ports.quota.release(held.value);
  }
  const asked = await requestVendorCount(ports, clientCall.value, caller.value, client, call.headers);
  return asked.ok ? { ok: true, value: asked.value ?? shape.promptTokens } : asked;
}

/** A quote that holds nothing: only the rate windows are passed with it. */
const FREE = {
  estimate: ZERO_QUOTA,
  promptEstimate: ZERO_QUOTA,
  heldOutputTokens: 0,
  worstCaseOf: () => NO_WORST_CASE,
  charge: () => ZERO_QUOTA,
} as const;

/** The vendor's own count; undefined = it has none to give. Fails: channel-unavailable. */
async function requestVendorCount(
  ports: RelayPorts,
  clientCall: ClientCall<'chat'>,
  caller: Caller,
  client: ClientConnection,
  callerHeaders: IncomingCall['headers'],
): Promise<Result<number | undefined, RelayError>> {
  const { shape } = clientCall.parsed;
  const options = ports.options.current();
  const picked = chooseChannel(ports, {
    caller,
    model: shape.model,
    attempt: 0,
    tried: [],
    isNative: nativeChannels(ports, { clientCall, operation: 'chat', options, group: caller.group }),
  });
  if (!picked.ok) return picked;
  const provider = ports.findProvider(picked.value.channelType);
  if (!provider.ok) return NO_COUNT;
  let call: ProviderCall = {
    ...providerFacts(clientCall, options),
    route: picked.value,
    shape: { ...shape, stream: false },
  };
  const operation = findOperation(provider.value, 'chat', call);
  if (operation?.count === undefined || operation.apiFormat.id !== clientCall.apiFormat.id) return NO_COUNT;
  const upstreamModel = operation.adapt?.(call)?.upstreamModel ?? call.route.upstreamModel;
  call = { ...call, route: { ...call.route, upstreamModel } };
  const request = await prepare(ports, operation, operation.count, clientCall, call, callerHeaders);
  if (request === undefined) return NO_COUNT;
  return { ok: true, value: readCount(operation.count, await exchange(ports, request, client)) };
}

const NO_COUNT: Result<undefined, RelayError> = { ok: true, value: undefined };

async function prepare(
  ports: RelayPorts,
  operation: ProviderOperation<'chat'>,
  counting: ProviderCount,
  clientCall: ClientCall<'chat'>,
  call: ProviderCall,
  callerHeaders: IncomingCall['headers'],
): Promise<UpstreamRequest | undefined> {
  const { route } = call;
  const { proxy } = route.settings;
  const address = counting.address(call);
  if (!address.ok) return undefined;
  const request: UpstreamRequest = {
    method: 'POST',
    url: address.value,
    headers: overrideHeaders(operation.headers(call), route.headerOverride, {
      credential: route.credential,
      callerHeaders,
    }),
    body: counting.write(clientCall.parsed, route.upstreamModel),
    ...(proxy === undefined || proxy === '' ? {} : { proxy }),
  };
  if (operation.sign === undefined) return request;
  const signed = await operation.sign(request, call, { clock: ports.clock, tokens: ports.tokens });
  return signed.ok ? signed.value : undefined;
}

/** The body of a good answer; undefined = refused, broken, late, too large, or the caller left. */
function exchange(
  ports: Pick<RelayPorts, 'sender' | 'clock'>,
  request: UpstreamRequest,
  client: ClientConnection,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    let status = 0;
    const running: { exchange?: UpstreamExchange } = {};
    let isOver = false;
    const end = (body: Buffer | undefined): void => {
      if (isOver) return;
      isOver = true;
      stopWaiting();
      client.listener = null;
      resolve(body);
    };
    const giveUp = (): void => {
      if (isOver) return;
      end(undefined);
      running.exchange?.abort();
    };
    const stopWaiting = ports.clock.after(COUNT_TIMEOUT_MS, giveUp);
    client.listener = { onClientGone: giveUp, onClientDrained: () => undefined };
    running.exchange = ports.sender.send(request, {
      onHead: (head) => {
        status = head;
      },
      onBytes: (chunk) => {
        chunks.push(chunk);
        sizeBytes += chunk.length;
        if (sizeBytes > MAX_COUNT_BYTES) giveUp();
        return true;
      },
      onEnd: () => end(status >= 200 && status < 300 ? Buffer.concat(chunks) : undefined),
      onBroken: () => end(undefined),
    });
    if (client.isGone) giveUp();
  });
}

function readCount(counting: ProviderCount, body: Buffer | undefined): number | undefined {
  if (body === undefined) return undefined;
  try {
    const tokens = counting.read(JSON.parse(body.toString('utf8')));
    return tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : undefined;
  } catch {
    // Not an answer of the vendor's: ours stands in.
    return undefined;
  }
}
