import { fail, ok, type Result } from '../../../common/result.js';
import type { Operation } from '../../model/operation.js';
import type { OutputLimits } from '../../model/call.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';
import type { Route } from '../../ports/channel-picker.js';
import type { UpstreamRequest } from '../../ports/http-sender.js';
import type { RelayOptions } from '../../ports/relay-options.js';
import {
  findOperation,
  type FollowReply,
  type ProviderCall,
  type ProviderOperation,
  typeNameOf,
} from '../../providers/provider.js';
import { callersToolNames } from '../../formats/shared/fields/tool-names.js';
import { repairedJson } from '../../framing/well-formed.js';
import type { RequestEdits } from '../../formats/contract/api-format.js';
import { viaFor } from '../request/via-header.js';
import { choosePath, type PathPlan, guardedFields } from '../request/attempt-plan.js';
import { providerFacts } from './choose-channel.js';
import { fitPassedBody } from '../request/fit-passed-body.js';
import { holdsOtherTools, holdsReservedNames } from '../request/responses-tools.js';
import { refuseFileAddresses, refuseNamedFiles, refuseStoredFiles } from '../request/file-addresses.js';
import { holdsOtherTurns } from '../request/answers-files.js';
import { mayHoldWebImages } from '../request/passed-images.js';
import { type AttemptFacts, overrideAttempt } from '../request/overrides/attempt-overrides.js';
import type { RelayPorts } from '../context/relay-ports.js';
import { hasOtherLimits, limitsOf, namesLimit, readOutputLimits } from '../request/output-limits.js';
import type { ClientCall, TranslatedCall } from '../context/call-types.js';
import { type Endpoint, rewriteCall, type RewritePorts, type WrittenCall } from './rewrite-call.js';
import { whenKnown } from '../../../common/now-or-later.js';

export type Translation<O extends Operation> = Result<TranslatedCall<O>, RelayError>;
export type TranslationPorts = Pick<RelayPorts, 'findProvider' | 'tokens' | 'clock'> & RewritePorts;

export interface TranslationInput<O extends Operation> {
  readonly clientCall: ClientCall<O>;
  readonly operation: O;
  readonly route: Route;
  readonly affordableCap: number | undefined;
  readonly options: RelayOptions;
  readonly attempt: AttemptFacts;
}

/**
 * Stage 7: the request as this channel's provider wants it. Waits only for vendors that need a file's bytes or a
 * fetched credential.
 * Fails: not-implemented, invalid-request, upstream-unreachable (a base address that cannot be used), upstream-key-refused.
 */
export function translateCall<O extends Operation>(
  ports: TranslationPorts,
  input: TranslationInput<O>,
): Translation<O> | Promise<Translation<O>> {
  const found = findEndpoint(ports, input);
  if (!found.ok) return found;
  const endpoint = found.value;
  const plan = planPath(input, endpoint);
  const refused = refuseAddresses(input, endpoint, plan);
  if (refused !== undefined) return fail(refused);
  const edits = editsOf(input, endpoint, plan);
  if (plan.request === 'splice')
    return finish(ports, {
      ...input,
      endpoint,
      plan,
      edits,
      ...passCall(ports, input, endpoint, plan, edits),
    });
  return whenKnown(rewriteCall(ports, input, endpoint, edits), (rewritten) =>
    rewritten.ok ? finish(ports, { ...input, endpoint, plan, edits, ...rewritten.value }) : rewritten,
  );
}

/** The endpoint that serves the operation, with the model that the channel's name of it asks for. */
function findEndpoint<O extends Operation>(
  ports: TranslationPorts,
  { clientCall, options, operation: wanted, route }: TranslationInput<O>,
): Result<Endpoint<O>, RelayError> {
  const provider = ports.findProvider(route.channelType);
  if (!provider.ok) return provider;
  let call: ProviderCall = { ...providerFacts(clientCall, options), route };
  const operation = findOperation(provider.value, wanted, call);
  if (operation === undefined) {
    const vendor = typeNameOf(provider.value, route.channelType);
    return fail(refusal('operation-not-offered', { vendor }));
  }
  const adaptation = operation.adapt?.(call);
  if (adaptation !== undefined && adaptation.upstreamModel !== route.upstreamModel)
    call = { ...call, route: { ...route, upstreamModel: adaptation.upstreamModel } };
  const { bytes } = clientCall.parsed.document;
  const stored =
    operation.ownStore === undefined
      ? refuseNamedFiles(bytes, call.route.upstreamModel, route.settings)
      : refuseStoredFiles(bytes, operation.ownStore, route.settings);
  if (stored !== undefined) return fail(stored);
  const address = operation.address(call);
  if (!address.ok) return address;
  return ok({
    operation,
    call,
    url: address.value,
    description: operation.describe?.(call),
    change: adaptation?.change,
  });
}

/** The path of a call: the caller's bytes and the vendor's answer pass, or are written anew. */
function planPath<O extends Operation>(
  { clientCall, options }: TranslationInput<O>,
  { operation, call: { route }, description, change }: Endpoint<O>,
): PathPlan {
  const { document } = clientCall.parsed;
  const { apiFormat } = operation;
  const isSameFormat = clientCall.apiFormat.id === apiFormat.id;
  const rewrite = isSameFormat ? apiFormat.needsRewrite?.(document, route.upstreamModel) : undefined;
  return choosePath({
    clientFormat: clientCall.apiFormat.id,
    upstreamFormat: apiFormat.id,
    isSameFraming: isSameFraming(clientCall, operation),
    adapts:
      change !== undefined ||
      rewrite === 'request' ||
      (isSameFormat && holdsOtherTurns(document, apiFormat.id, description, route)) ||
      (isSameFormat && description?.images?.bytesOnly === true && mayHoldWebImages(document.bytes)) ||
      apiFormat.holdsForeignSignatures?.(document.bytes, route.upstreamModel) === true,
    changesAnswer:
      rewrite === 'answer' ||
      (isSameFormat &&
        (holdsOtherTools(document, apiFormat.id, description) || holdsReservedNames(document, description))),
    route,
    passThroughRequests: options.passThroughRequests,
  });
}

/** An operator who lets every id pass knows what the machine behind the channel opens. */
const refuseAddresses = <O extends Operation>(
  { clientCall }: TranslationInput<O>,
  { operation: { fileSchemes = [] }, call: { route } }: Endpoint<O>,
  plan: PathPlan,
): RelayError | undefined =>
  route.settings.vendor?.['allow_foreign_ids'] === true
    ? undefined
    : refuseFileAddresses(clientCall.parsed.document, fileSchemes, plan.request === 'splice');

function editsOf<O extends Operation>(
  { affordableCap }: TranslationInput<O>,
  { operation, call }: Endpoint<O>,
  plan: PathPlan,
): RequestEdits {
  const vendorEdits = operation.edits(call);
  return {
    ...vendorEdits,
    upstreamModel: call.route.upstreamModel,
    reportUsage: call.shape.stream,
    outputCap: affordableCap,
    refusedMembers: refusedFieldsOf(vendorEdits.refusedMembers, plan, call),
  };
}

/** The caller's bytes with only what the vendor wants changed; a body that the operator passes through is not fitted. */
function passCall<O extends Operation>(
  ports: TranslationPorts,
  { clientCall: { parsed } }: TranslationInput<O>,
  { operation: { apiFormat }, call: { route }, description }: Endpoint<O>,
  plan: PathPlan,
  edits: RequestEdits,
): WrittenCall {
  const warnings: Warning[] = [];
  const isForced = plan.isForced === true;
  let body = apiFormat.spliceRequest(parsed, edits, isForced ? undefined : warnings);
  if (!isForced && description !== undefined)
    body = fitPassedBody(
      body,
      {
        document: parsed.document,
        format: apiFormat.id,
        isStreamed: parsed.shape.stream,
        outputCap: edits.outputCap ?? parsed.shape.outputCap,
        usesCompletionCap: edits.usesCompletionCap,
        upstreamModel: route.upstreamModel,
        description,
        gateway: ports.gateway,
      },
      warnings,
    );
  const { contentType } = parsed;
  return { written: contentType === undefined ? { body, warnings } : { body, warnings, contentType } };
}

interface FinishInput<O extends Operation> extends TranslationInput<O>, WrittenCall {
  readonly endpoint: Endpoint<O>;
  readonly plan: PathPlan;
  readonly edits: RequestEdits;
}

/** The last steps: overrides, headers, and a signature over the finished bytes. */
function finish<O extends Operation>(
  ports: TranslationPorts,
  input: FinishInput<O>,
): Translation<O> | Promise<Translation<O>> {
  const { endpoint, plan, written } = input;
  const { operation, call } = endpoint;
  const { route } = call;
  const { contentType } = written;
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
  const isUntouched = plan.request === 'splice' && overridden.value.body === written.body;
  // Texts inside texts (arguments of tools) and operators' own values are checked only where they leave.
  const body = isJson && !isUntouched ? repairedJson(overridden.value.body) : overridden.value.body;
  const sent = sentLimits(input, { body, isUntouched, isOverridden: overridden.value.body !== written.body });
  const { proxy } = route.settings;
  let request: UpstreamRequest = {
    method: 'POST',
    url: endpoint.url,
    headers: overridden.value.headers,
    body,
  };
  if (proxy !== undefined && proxy !== '') request = { ...request, proxy };
  const via = viaFor(input.attempt.call, route, ports.gateway.via);
  const warnings = warningsOf(input);
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
  return whenKnown(signing, ready);
}

interface FinishedBody {
  readonly body: Buffer;
  /** The caller's bytes pass, and no override changed them. */
  readonly isUntouched: boolean;
  readonly isOverridden: boolean;
}

/** Limits of the answer that the finished body names. */
function sentLimits<O extends Operation>(
  { clientCall, endpoint: { operation, call }, plan, edits, written }: FinishInput<O>,
  { body, isUntouched, isOverridden }: FinishedBody,
): OutputLimits {
  const { apiFormat } = operation;
  // Nothing on the way changed what the caller asks for.
  const isAsAsked = plan.request === 'splice' && keepsLimits(clientCall, operation, edits);
  const limits =
    written.contentType !== undefined || (isUntouched && isAsAsked)
      ? limitsOf(call.shape)
      : readOutputLimits(body, call.shape, apiFormat.capPlaces ?? NO_PLACES);
  // The cap of a stream is a default of this gateway: its hold grows with what comes, as without a cap.
  const hasDefaultCap =
    apiFormat.capsEveryCall === true &&
    call.shape.stream &&
    call.shape.outputCap === undefined &&
    edits.outputCap === undefined;
  const sent = hasDefaultCap && !isOverridden ? { ...limits, outputCap: undefined } : limits;
  return written.writesCache === true ? { ...sent, writesCache: true } : sent;
}

function warningsOf<O extends Operation>({
  clientCall: { parsed },
  edits,
  written,
}: FinishInput<O>): readonly Warning[] {
  const warnings = withRefused(written.warnings, edits.refusedMembers, parsed.document.members);
  return parsed.document.isRepaired === true ? [...warnings, HALF_CHARACTERS] : warnings;
}

const withHeader = (request: UpstreamRequest, name: string, value: string): UpstreamRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});

/** True when a stream's bytes could pass unchanged. */
function isSameFraming<O extends Operation>(
  clientCall: ClientCall<O>,
  operation: ProviderOperation<O>,
): boolean {
  const { shape } = clientCall.parsed;
  if (!shape.stream) return true;
  const back = operation.apiFormat.framingOf?.(shape) ?? 'sse';
  return (shape.streamForm ?? 'sse') === (back === 'aws-messages' ? 'sse' : back);
}

/** True when the caller's bytes are sent with the limits that were read from them. */
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

/** Adds a warning for each field the caller sent and this channel does not get, unless there is one already. */
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
