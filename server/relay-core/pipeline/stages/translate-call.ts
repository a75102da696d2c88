import { fail, ok, type Result } from '../../../common/result.js';
import type { ChatRequest } from '../../model/chat.js';
import type { MediaKind } from '../../model/content.js';
import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';
import type { Route } from '../../ports/channel-picker.js';
import type { UpstreamRequest } from '../../ports/http-sender.js';
import type { RelayOptions } from '../../ports/relay-options.js';
import { CHANNEL_TYPE_NAMES } from '../../providers/channel-types.js';
import {
  findOperation,
  type FollowReply,
  type ProviderCall,
  type ProviderOperation,
} from '../../providers/provider.js';
import { refuseUnknownParts } from '../../formats/other-format-parts.js';
import { lostInFitting } from '../../formats/shared/fields/dropped-fields.js';
import { droppedPartOptions } from '../../formats/shared/fields/dropped-part-options.js';
import { withAllowedTools } from '../../formats/shared/requests/allowed-tools.js';
import { withoutFreeformTools } from '../../formats/shared/fields/freeform-tools.js';
import {
  callersToolNames,
  type ToolNames,
  vendorToolNames,
  withToolNames,
} from '../../formats/shared/fields/tool-names.js';
import { withWrappedResponseFormat } from '../../formats/shared/fields/wrapped-response-format.js';
import { withWrappedTools, wrappedTools } from '../../formats/shared/fields/wrapped-tools.js';
import { repairedJson } from '../../framing/well-formed.js';
import type {
  UpstreamFormat,
  NeutralRequest,
  RequestEdits,
  WrittenRequest,
} from '../../formats/contract/api-format.js';
import { viaFor } from '../request/via-header.js';
import { choosePath, type PathPlan } from '../request/choose-path.js';
import { providerFacts } from '../request/native-channels.js';
import { guardedFields } from '../request/guarded-members.js';
import { refuseFileAddresses } from '../request/file-addresses.js';
import { fetchMedia } from '../request/fetch-media.js';
import { type AttemptFacts, overrideAttempt } from '../request/overrides/attempt-overrides.js';
import { withStoredSignatures } from '../request/stored-signatures.js';
import type { RelayPorts } from '../context/relay-ports.js';
import { hasOtherLimits, limitsOf, namesLimit, readOutputLimits } from '../request/output-limits.js';
import { refuseNamedFiles, refuseStoredFiles } from '../request/stored-files.js';
import type { ClientCall, TranslatedCall } from '../context/call-types.js';

type Translation<O extends Operation> = Result<TranslatedCall<O>, RelayError>;
type Ports = Pick<RelayPorts, 'findProvider' | 'media' | 'tokens' | 'clock' | 'gateway' | 'signatures'>;

/**
 * Stage 7: the request as this channel's provider wants it. Waits only for vendors that need a file's bytes or a
 * fetched credential.
 * Fails: not-implemented, invalid-request, upstream-unreachable (a base address that cannot be used), upstream-key-refused.
 */
export function translateCall<O extends Operation>(
  ports: Ports,
  input: {
    readonly clientCall: ClientCall<O>;
    readonly operation: O;
    readonly route: Route;
    readonly affordableCap: number | undefined;
    readonly options: RelayOptions;
    readonly attempt: AttemptFacts;
  },
): Translation<O> | Promise<Translation<O>> {
  const { clientCall, options } = input;
  let { route } = input;
  const { shape } = clientCall.parsed;
  const provider = ports.findProvider(route.channelType);
  if (!provider.ok) return provider;
  const { members } = clientCall.parsed.document;
  let call: ProviderCall = { ...providerFacts(clientCall, options), route };
  const operation = findOperation(provider.value, input.operation, call);
  if (operation === undefined) {
    const vendor = CHANNEL_TYPE_NAMES.get(route.channelType) ?? '';
    return fail(refusal('operation-not-offered', { vendor }));
  }
  const adaptation = operation.adapt?.(call);
  if (adaptation !== undefined && adaptation.upstreamModel !== route.upstreamModel) {
    route = { ...route, upstreamModel: adaptation.upstreamModel };
    call = { ...call, route };
  }
  const { ownStore } = operation;
  const { bytes } = clientCall.parsed.document;
  const stored =
    ownStore === undefined
      ? refuseNamedFiles(bytes, route.upstreamModel, route.settings)
      : refuseStoredFiles(bytes, ownStore, route.settings);
  if (stored !== undefined) return fail(stored);
  const address = operation.address(call);
  if (!address.ok) return address;
  const plan = choosePath({
    clientFormat: clientCall.apiFormat.id,
    upstreamFormat: operation.apiFormat.id,
    isSameFraming: isSameFraming(clientCall, operation),
    adapts:
      adaptation?.change !== undefined ||
      operation.apiFormat.holdsForeignSignatures?.(clientCall.parsed.document.bytes, route.upstreamModel) ===
        true,
    route,
    passThroughRequests: options.passThroughRequests,
  });
  const { fileSchemes = [] } = operation;
  // An operator who lets every id pass knows what the machine behind the channel opens.
  const misplaced =
    route.settings.vendor?.['allow_foreign_ids'] === true
      ? undefined
      : refuseFileAddresses(clientCall.parsed.document, fileSchemes, plan.request === 'splice');
  if (misplaced !== undefined) return fail(misplaced);
  const vendorEdits = operation.edits(call);
  const edits: RequestEdits = {
    ...vendorEdits,
    upstreamModel: route.upstreamModel,
    reportUsage: shape.stream,
    outputCap: input.affordableCap,
    refusedMembers: refusedFieldsOf(vendorEdits.refusedMembers, plan, call),
  };
  let wrapped: ReadonlySet<string> | undefined;
  let renamed: ToolNames | undefined;
  let lost: readonly Warning[] = [];
  const leave = (written: WrittenRequest): Translation<O> | Promise<Translation<O>> => {
    let warnings = withRefused([...lost, ...written.warnings], edits.refusedMembers, members);
    if (clientCall.parsed.document.isRepaired === true) warnings = [...warnings, HALF_CHARACTERS];
    const { attempt } = input;
    const isAsAsked = plan.request === 'splice' && keepsLimits(clientCall, operation, edits);
    return finish(ports, {
      operation,
      call,
      plan,
      url: address.value,
      written,
      warnings,
      attempt,
      isAsAsked,
      wrapped,
      renamed,
    });
  };
  if (plan.request === 'splice') {
    const warnings: Warning[] = [];
    const mended = plan.isForced === true ? undefined : warnings;
    const body = operation.apiFormat.spliceRequest(clientCall.parsed, edits, mended);
    const { contentType } = clientCall.parsed;
    const written: WrittenRequest = { body, warnings };
    return leave(contentType === undefined ? written : { ...written, contentType });
  }
  const bound =
    clientCall.apiFormat.id === operation.apiFormat.id
      ? undefined
      : clientCall.parsed.untranslatableReason?.();
  if (bound !== undefined) return fail(bound);
  const neutral = clientCall.parsed.neutral();
  if (!neutral.ok) return neutral;
  const write = (asked: NeutralRequest<O>): Translation<O> | Promise<Translation<O>> => {
    const formed = isChat(asked) ? withForm(asked, clientCall.apiFormat.id, operation.apiFormat) : asked;
    const changed = adaptation?.change?.(formed) ?? formed;
    wrapped = isChat(changed) ? wrappedTools(changed) : undefined;
    const limited = isChat(changed) ? withAllowedTools(changed, operation.apiFormat.id) : changed;
    const known = withKnownTools(withSystemPrompt(inObjects(limited, wrapped), route), operation.apiFormat);
    renamed = isChat(known) ? renamedFor(known, clientCall.apiFormat.id, operation.apiFormat) : undefined;
    const request = withVendorsNames(known, renamed);
    const refusal =
      (isChat(request) ? refuseUnknownParts(request, operation.apiFormat.id) : undefined) ??
      operation.apiFormat.refuseRequest?.(request);
    if (refusal !== undefined) return fail(refusal);
    const needsBytes = (media: MediaKind, url: string): boolean | undefined =>
      operation.apiFormat.bytesOnly?.includes(media) === true || operation.needsBytes?.(media, url, call);
    const fetching = fetchMedia(ports.media, request, needsBytes);
    if (isChat(formed) && isChat(changed))
      lost = [...lostInFitting(formed, changed), ...droppedPartOptions(formed, operation.apiFormat.id)];
    if (fetching === undefined) return leave(operation.apiFormat.writeRequest(request, edits));
    return fetching.then((fetched) =>
      fetched.ok ? leave(operation.apiFormat.writeRequest(fetched.value, edits)) : fetched,
    );
  };
  const asked = neutral.value;
  if (!isChat(asked)) return write(asked);
  const known = withStoredSignatures(asked, input.attempt.ownerId, ports.signatures);
  return known instanceof Promise ? known.then(write) : write(known);
}

/** The last steps: overrides, headers, and a signature over the finished bytes. */
function finish<O extends Operation>(
  ports: Ports,
  input: {
    readonly operation: ProviderOperation<O>;
    readonly call: ProviderCall;
    readonly plan: PathPlan;
    readonly url: string;
    readonly written: WrittenRequest;
    readonly warnings: readonly Warning[];
    readonly attempt: AttemptFacts;
    /** Nothing on the way changed what the caller asks for. */
    readonly isAsAsked: boolean;
    readonly wrapped: ReadonlySet<string> | undefined;
    readonly renamed: ToolNames | undefined;
  },
): Translation<O> | Promise<Translation<O>> {
  const { operation, call, plan, written, warnings } = input;
  const { route } = call;
  const { contentType } = written;
  const { proxy } = route.settings;
  const isJson = contentType === undefined;
  let headers = operation.headers(call);
  if (!isJson) headers = { ...headers, 'content-type': contentType };
  const overridden = overrideAttempt(
    { headers, body: written.body },
    route,
    input.attempt,
    plan.overrides && isJson,
  );
  if (!overridden.ok) return overridden;
  const { headers: finalHeaders } = overridden.value;
  const isUntouched = plan.request === 'splice' && overridden.value.body === written.body;
  // Texts inside texts (arguments of tools) and operators' own values are checked only where they leave.
  const body = isJson && !isUntouched ? repairedJson(overridden.value.body) : overridden.value.body;
  const sent =
    !isJson || (isUntouched && input.isAsAsked)
      ? limitsOf(call.shape)
      : readOutputLimits(body, call.shape, operation.apiFormat.capPlaces ?? NO_PLACES);
  let request: UpstreamRequest = { method: 'POST', url: input.url, headers: finalHeaders, body };
  if (proxy !== undefined && proxy !== '') request = { ...request, proxy };
  const via = viaFor(input.attempt.call, route, ports.gateway.via);
  const ready = (signed: Result<UpstreamRequest, RelayError>): Translation<O> => {
    if (!signed.ok) return signed;
    // Behind the signature: proxies on the way may write into this header.
    const request = via === undefined ? signed.value : withHeader(signed.value, 'via', via);
    let translated: TranslatedCall<O> = { request, operation, route, plan, warnings, sent };
    if (input.wrapped !== undefined) translated = { ...translated, wrapped: input.wrapped };
    if (input.renamed !== undefined)
      translated = { ...translated, toolNames: callersToolNames(input.renamed) };
    if (operation.follow === undefined) return ok(translated);
    return ok({ ...translated, follow: (reply: FollowReply) => operation.follow?.(reply, call) });
  };
  if (operation.sign === undefined) return ready(ok(request));
  const signing = operation.sign(request, call, { clock: ports.clock, tokens: ports.tokens });
  return signing instanceof Promise ? signing.then(ready) : ready(signing);
}

const withHeader = (request: UpstreamRequest, name: string, value: string): UpstreamRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});

/** Whether a stream's bytes could pass as they are. */
function isSameFraming<O extends Operation>(
  clientCall: ClientCall<O>,
  operation: ProviderOperation<O>,
): boolean {
  const { shape } = clientCall.parsed;
  if (!shape.stream) return true;
  const back = operation.apiFormat.framingOf?.(shape) ?? 'sse';
  return (shape.streamForm ?? 'sse') === (back === 'aws-messages' ? 'sse' : back);
}

/** Whether a caller's bytes leave with the limits the call was understood to have. */
const keepsLimits = <O extends Operation>(
  { parsed: { document, shape } }: ClientCall<O>,
  operation: ProviderOperation<O>,
  edits: RequestEdits,
): boolean =>
  edits.outputCap === undefined &&
  !(operation.apiFormat.capsEveryCall === true && shape.outputCap === undefined) &&
  !namesLimit(edits.refusedMembers) &&
  !hasOtherLimits(document);

/** Members to take out. Bodies an operator passes through are the operator's own affair. */
function refusedFieldsOf(
  refused: readonly string[],
  plan: PathPlan,
  { route, shape }: ProviderCall,
): readonly string[] {
  // In other operations the same names mean something else: speech has a `speed` of its own.
  if (plan.isForced === true || shape.operation !== 'chat') return refused;
  const guarded = guardedFields(route.settings);
  return refused.length === 0 ? guarded : [...refused, ...guarded];
}

const NO_PLACES: readonly string[] = [];
const HALF_CHARACTERS: Warning = {
  setting: 'body',
  reason: 'halves of characters (lone surrogates) were replaced with U+FFFD',
};

/** What the caller sent and this channel does not get, unless it was spoken of already. */
function withRefused(
  warnings: readonly Warning[],
  refused: readonly string[],
  members: ReadonlyMap<string, unknown>,
): readonly Warning[] {
  let all = warnings;
  for (const setting of refused) {
    if (!members.has(setting) || warnings.some((known) => known.setting === setting)) continue;
    all = [...all, { setting, reason: 'this channel does not take it, or is not allowed to' }];
  }
  return all;
}

/** The channel's own instructions: before the caller's when it insists, else only when the caller gave none. */
function withSystemPrompt<Request extends NeutralRequest<Operation>>(
  request: Request,
  route: Route,
): Request {
  const { systemPrompt, systemPromptOverride } = route.settings;
  if (systemPrompt === undefined || systemPrompt === '' || !isChat(request)) return request;
  const hasOwn = request.messages.some(({ role }) => role === 'system' || role === 'developer');
  if (hasOwn && systemPromptOverride !== true) return request;
  const message = { role: 'system' as const, content: [{ type: 'text' as const, text: systemPrompt }] };
  return { ...request, messages: [message, ...request.messages] };
}

/** The form of the answer in an object, where the vendor takes no other. */
const withForm = <Request extends ChatRequest>(
  request: Request,
  clientFormat: string,
  vendor: { readonly id: string; readonly responseFormatsAreObjects?: true },
): Request => ({ ...request, ...withWrappedResponseFormat(request, clientFormat, vendor) });

/** Vendors take a tool's arguments in objects only. */
function inObjects<Request extends NeutralRequest<Operation>>(
  request: Request,
  wrapped: ReadonlySet<string> | undefined,
): Request {
  if (wrapped === undefined || !isChat(request)) return request;
  return { ...request, ...withWrappedTools(request, wrapped) };
}

/** Names of tools that the vendor would refuse. Vendors of the caller's own API are asked as the caller asks. */
const renamedFor = (
  request: ChatRequest,
  clientFormat: string,
  { id, toolNames }: Pick<UpstreamFormat<'chat'>, 'id' | 'toolNames'>,
): ToolNames | undefined =>
  toolNames === undefined || id === clientFormat ? undefined : vendorToolNames(request, toolNames);

const withVendorsNames = <Request extends NeutralRequest<Operation>>(
  request: Request,
  names: ToolNames | undefined,
): Request =>
  names === undefined || !isChat(request) ? request : { ...request, ...withToolNames(request, names) };

function withKnownTools<O extends Operation, Request extends NeutralRequest<O>>(
  request: Request,
  apiFormat: UpstreamFormat<O>,
): Request {
  if (apiFormat.hasFreeformTools === true || !isChat(request)) return request;
  return { ...request, ...withoutFreeformTools(request) };
}

const isChat = (request: NeutralRequest<Operation>): request is ChatRequest => 'messages' in request;

/** The call with headers more. */
export const withHeaders = <O extends Operation>(
  translated: TranslatedCall<O>,
  along: Readonly<Record<string, string>>,
): TranslatedCall<O> => ({
  ...translated,
  request: { ...translated.request, headers: { ...translated.request.headers, ...along } },
});
