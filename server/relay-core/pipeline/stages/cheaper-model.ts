import { spliceFields } from '../../framing/json-splice.js';
import type { Caller, IncomingCall } from '../../model/call.js';
import type { ContentPart } from '../../model/content.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import type { Warning } from '../../model/warning.js';
import type { Quote } from '../../ports/price-book.js';
import type { RateWindow } from '../../ports/quota-holds.js';
import type { RelayOptions } from '../../ports/relay-options.js';
import { findOperation } from '../../providers/provider.js';
import type { ClientCall } from '../context/call-types.js';
import type { RelayPorts } from '../context/relay-ports.js';
import { storedIdsIn } from '../reply/stored-ids.js';
import { admitCall, quoteCall } from './admit-quote-reserve.js';
import { chooseChannel, providerFacts } from './choose-channel.js';

/** A call as it goes on with another model. */
export interface CheaperCall<O extends Operation> {
  readonly clientCall: ClientCall<O>;
  readonly quote: Quote;
  readonly windows: readonly RateWindow[];
  readonly warning: Warning;
}

interface CallAtLimit<O extends Operation> {
  readonly call: IncomingCall;
  readonly caller: Caller;
  readonly clientCall: ClientCall<O>;
  readonly operation: O;
  readonly options: RelayOptions;
}

type Ports = Pick<RelayPorts, 'admission' | 'options' | 'addresses' | 'prices' | 'channels' | 'findProvider'>;

/** Callers refuse another model with `1`. */
export const NO_FALLBACK_HEADER = 'x-tollgate-no-fallback';

/** Model that a limit names for calls it refuses; undefined = none. */
export const fallbackIn = (error: RelayError): string | undefined =>
  error.kind === 'rate-limited' || error.kind === 'limit-full' ? error.fallbackModel : undefined;

/**
 * The call with the model that a full limit names, at prices frozen for that model: where the key and the group may call it, it has a price, and
 * a channel takes the request.
 * @returns undefined where the refusal of the limit stands: also for calls with stored ids or a chosen channel, for forms and for tasks
 */
export function withCheaperModel<O extends Operation>(
  ports: Ports,
  at: CallAtLimit<O>,
  error: RelayError,
): CheaperCall<O> | undefined {
  const model = fallbackIn(error);
  if (model === undefined || !mayFallBack(at, model)) return undefined;
  const { call, caller, operation, options } = at;
  const clientCall = withModel(at, model);
  if (clientCall === undefined || clientCall.parsed.shape.model !== model) return undefined;
  if (!ports.prices.hasPrice({ ...caller, acceptsUnsetPrice: false }, model)) return undefined;
  const windows = admitCall(ports, { caller, clientCall });
  if (!windows.ok || !isTaken(ports, { call, caller, clientCall, operation, options })) return undefined;
  const quote = quoteCall(ports, { caller, shape: clientCall.parsed.shape });
  if (!quote.ok) return undefined;
  const asked = at.clientCall.parsed.shape.model;
  const warning = { setting: 'model', reason: `a limit of ${asked} is reached: answered by ${model}` };
  return { clientCall, quote: quote.value, windows: windows.value, warning };
}

function mayFallBack<O extends Operation>(
  { call, caller, clientCall, operation }: CallAtLimit<O>,
  model: string,
): boolean {
  const { parsed, apiFormat } = clientCall;
  return (
    caller.pinnedChannelId === null &&
    call.headers[NO_FALLBACK_HEADER] !== '1' &&
    operation !== 'submit' &&
    parsed.form === undefined &&
    parsed.contentType === undefined &&
    parsed.shape.model !== model &&
    storedIdsIn(parsed.document, apiFormat.id).length === 0
  );
}

/** Reads the request again, with another model in the place that names it. */
function withModel<O extends Operation>(
  { call, clientCall: { apiFormat, parsed } }: CallAtLimit<O>,
  model: string,
): ClientCall<O> | undefined {
  const { document } = parsed;
  const body = document.members.has('model')
    ? spliceFields(document, new Map([['model', model]]))
    : document.bytes;
  const isInBody = call.pathModel === undefined && document.members.has('model');
  const again = apiFormat.parseCall(body, { ...call, pathModel: isInBody ? undefined : model });
  return again.ok ? { apiFormat, parsed: again.value } : undefined;
}

/** A channel of the model is there whose vendor takes the request: its API, its length, its images. */
function isTaken<O extends Operation>(
  ports: Pick<RelayPorts, 'channels' | 'findProvider'>,
  { caller, clientCall, operation, options }: CallAtLimit<O>,
): boolean {
  const { parsed, apiFormat } = clientCall;
  const { model, promptTokens } = parsed.shape;
  const chosen = chooseChannel(ports, { caller, model, attempt: 0, tried: [], promptTokens });
  if (!chosen.ok) return false;
  const route = chosen.value;
  const provider = ports.findProvider(route.channelType);
  if (!provider.ok) return false;
  const call = { ...providerFacts(clientCall, options), route };
  const found = findOperation(provider.value, operation, call);
  if (found === undefined) return false;
  if (found.apiFormat.id !== apiFormat.id && parsed.untranslatableReason?.() !== undefined) return false;
  return takesImages(found.describe?.(call), route.upstreamModel) || !hasImages(clientCall);
}

const takesImages = (description: VendorDescription | undefined, model: string): boolean =>
  description?.images?.textModels?.test(model) !== true;

function hasImages<O extends Operation>({ parsed }: ClientCall<O>): boolean {
  const request = parsed.neutral();
  if (!request.ok || !('messages' in request.value)) return false;
  const { messages } = request.value as {
    readonly messages: readonly { readonly content: readonly ContentPart[] }[];
  };
  return messages.some(({ content }) => content.some(({ type }) => type === 'image'));
}
