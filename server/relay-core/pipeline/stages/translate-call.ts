import { fail, ok, type Result } from '../../../common/result.js';
import type { MediaKind } from '../../model/content.js';
import type { Operation } from '../../model/operation.js';
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
import { refuseUnknownParts } from '../../formats/other-format-parts.js';
import { lostInFitting, lostInImages } from '../../formats/shared/fields/dropped-fields.js';
import { droppedPartOptions } from '../../formats/shared/fields/dropped-part-options.js';
import { withAllowedTools } from '../../formats/shared/requests/allowed-tools.js';
import { callersToolNames, type ToolNames } from '../../formats/shared/fields/tool-names.js';
import { wrappedTools } from '../../formats/shared/fields/wrapped-tools.js';
import { repairedJson } from '../../framing/well-formed.js';
import type { NeutralRequest, RequestEdits, WrittenRequest } from '../../formats/contract/api-format.js';
import { viaFor } from '../request/via-header.js';
import {
  withSystemPrompt,
  withWordJson,
  compacted,
  withForm,
  inObjects,
  renamedFor,
  withMovedFiles,
  withVendorsNames,
  withKnownTools,
  isImage,
  isChat,
} from '../request/change-request.js';
import { choosePath, type PathPlan, guardedFields } from '../request/attempt-plan.js';
import { providerFacts } from './choose-channel.js';
import { fitPassedBody, fitWritten } from '../request/fit-passed-body.js';
import { holdsOtherTools, holdsReservedNames, knowsAllowedTools } from '../request/responses-tools.js';
import { describedFor, fitToDescription } from '../request/fit-to-description.js';
import { withoutForeignFiles } from '../request/foreign-files.js';
import { refuseFileAddresses, refuseNamedFiles, refuseStoredFiles } from '../request/file-addresses.js';
import { fetchMedia } from '../request/fetch-media.js';
import { holdsOtherTurns } from '../request/answers-files.js';
import { mayHoldWebImages } from '../request/passed-images.js';
import { type AttemptFacts, overrideAttempt } from '../request/overrides/attempt-overrides.js';
import { withStoredSignatures } from '../request/stored-signatures.js';
import type { RelayPorts } from '../context/relay-ports.js';
import { hasOtherLimits, limitsOf, namesLimit, readOutputLimits } from '../request/output-limits.js';
import { withPaths } from '../request/warning-paths.js';
import type { ClientCall, TranslatedCall } from '../context/call-types.js';
import { whenKnown } from '../../../common/now-or-later.js';

export type Translation<O extends Operation> = Result<TranslatedCall<O>, RelayError>;
export type TranslationPorts = Pick<
  RelayPorts,
  'findProvider' | 'media' | 'tokens' | 'clock' | 'gateway' | 'signatures'
>;

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
  const { clientCall, options } = input;
  let { route } = input;
  const { shape } = clientCall.parsed;
  const provider = ports.findProvider(route.channelType);
  if (!provider.ok) return provider;
  const { bytes, members } = clientCall.parsed.document;
  let call: ProviderCall = { ...providerFacts(clientCall, options), route };
  const operation = findOperation(provider.value, input.operation, call);
  if (operation === undefined) {
    const vendor = typeNameOf(provider.value, route.channelType);
    return fail(refusal('operation-not-offered', { vendor }));
  }
  const adaptation = operation.adapt?.(call);
  if (adaptation !== undefined && adaptation.upstreamModel !== route.upstreamModel) {
    route = { ...route, upstreamModel: adaptation.upstreamModel };
    call = { ...call, route };
  }
  const { ownStore } = operation;
  const stored =
    ownStore === undefined
      ? refuseNamedFiles(bytes, route.upstreamModel, route.settings)
      : refuseStoredFiles(bytes, ownStore, route.settings);
  if (stored !== undefined) return fail(stored);
  const address = operation.address(call);
  if (!address.ok) return address;
  const description = operation.describe?.(call);
  const { document } = clientCall.parsed;
  const isSameFormat = clientCall.apiFormat.id === operation.apiFormat.id;
  const rewrite = isSameFormat
    ? operation.apiFormat.needsRewrite?.(document, route.upstreamModel)
    : undefined;
  const plan = choosePath({
    clientFormat: clientCall.apiFormat.id,
    upstreamFormat: operation.apiFormat.id,
    isSameFraming: isSameFraming(clientCall, operation),
    adapts:
      adaptation?.change !== undefined ||
      rewrite === 'request' ||
      (isSameFormat && holdsOtherTurns(document, operation.apiFormat.id, description, route)) ||
      (isSameFormat && description?.images?.bytesOnly === true && mayHoldWebImages(bytes)) ||
      operation.apiFormat.holdsForeignSignatures?.(clientCall.parsed.document.bytes, route.upstreamModel) ===
        true,
    changesAnswer:
      rewrite === 'answer' ||
      (isSameFormat &&
        (holdsOtherTools(document, operation.apiFormat.id, description) ||
          holdsReservedNames(document, description))),
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
      hasDefaultCap:
        operation.apiFormat.capsEveryCall === true &&
        shape.stream &&
        shape.outputCap === undefined &&
        edits.outputCap === undefined,
      wrapped,
      renamed,
    });
  };
  const fitPassed = (body: Buffer, warnings: Warning[]): Buffer =>
    description === undefined
      ? body
      : fitPassedBody(
          body,
          {
            document: clientCall.parsed.document,
            format: operation.apiFormat.id,
            isStreamed: shape.stream,
            outputCap: edits.outputCap ?? shape.outputCap,
            usesCompletionCap: edits.usesCompletionCap,
            upstreamModel: route.upstreamModel,
            description,
            gateway: ports.gateway,
          },
          warnings,
        );
  if (plan.request === 'splice') {
    const warnings: Warning[] = [];
    const mended = plan.isForced === true ? undefined : warnings;
    const spliced = operation.apiFormat.spliceRequest(clientCall.parsed, edits, mended);
    const body = plan.isForced === true ? spliced : fitPassed(spliced, warnings);
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
  const { upstreamModel } = route;
  const formats = { clientFormat: clientCall.apiFormat.id, apiFormat: operation.apiFormat.id };
  const write = (asked: NeutralRequest<O>): Translation<O> | Promise<Translation<O>> => {
    const files: Warning[] = [];
    const open = isChat(asked) ? withoutForeignFiles(asked, formats, files) : { request: asked };
    if ('refusal' in open) return fail(open.refusal);
    const formed = isChat(open.request)
      ? withForm(
          compacted(open.request, { ...formats, description, upstreamModel }, files),
          clientCall.apiFormat.id,
          operation.apiFormat,
        )
      : open.request;
    const changed = adaptation?.change?.(formed) ?? formed;
    wrapped = isChat(changed) ? wrappedTools(changed) : undefined;
    const limited = isChat(changed)
      ? withAllowedTools(
          changed,
          operation.apiFormat.id,
          knowsAllowedTools(operation.apiFormat.id, description),
        )
      : changed;
    const unfitted: Warning[] = [];
    const instructed = withSystemPrompt(inObjects(limited, wrapped), route);
    const prompted = withWordJson(instructed, clientCall.apiFormat.id, operation.apiFormat.id);
    const fitted =
      description === undefined || !isChat(prompted)
        ? prompted
        : (fitToDescription(
            prompted,
            describedFor(description, operation.apiFormat.id),
            route.upstreamModel,
            ports.gateway,
            unfitted,
          ) as typeof prompted);
    const seated = withMovedFiles(fitted, operation.apiFormat, route.upstreamModel, unfitted);
    const known = withKnownTools(seated, operation.apiFormat, description);
    renamed = isChat(known)
      ? renamedFor(known, clientCall.apiFormat.id, operation.apiFormat, description)
      : undefined;
    const request = withVendorsNames(known, renamed);
    const refusal =
      (isChat(request) ? refuseUnknownParts(request, operation.apiFormat.id) : undefined) ??
      operation.apiFormat.refuseRequest?.(request);
    if (refusal !== undefined) return fail(refusal);
    const needsBytes = (media: MediaKind, url: string): boolean | undefined =>
      operation.apiFormat.bytesOnly?.includes(media) === true ||
      (media === 'image' && description?.images?.bytesOnly === true && /^https?:/i.test(url)) ||
      operation.needsBytes?.(media, url, call);
    const fetching = fetchMedia(ports.media, request, needsBytes);
    if (isImage(formed) && isImage(changed)) lost = lostInImages(formed, changed);
    if (isChat(formed) && isChat(changed))
      lost = [
        ...files,
        ...unfitted,
        ...lostInFitting(formed, changed),
        ...withPaths(droppedPartOptions(formed, operation.apiFormat.id), clientCall.parsed.document),
      ];
    const written = (fetched: NeutralRequest<O>): WrittenRequest =>
      fitWritten(
        operation.apiFormat.writeRequest(fetched, edits),
        operation.apiFormat.id,
        description,
        route.upstreamModel,
      );
    if (fetching === undefined) return leave(written(request));
    return fetching.then((fetched) => (fetched.ok ? leave(written(fetched.value)) : fetched));
  };
  const asked = neutral.value;
  if (!isChat(asked)) return write(asked);
  const known = withStoredSignatures(asked, input.attempt.ownerId, ports.signatures);
  return whenKnown(known, write);
}

/** The last steps: overrides, headers, and a signature over the finished bytes. */
function finish<O extends Operation>(
  ports: TranslationPorts,
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
    /** The cap of a stream is a default of this gateway: its hold grows with what comes, as without a cap. */
    readonly hasDefaultCap: boolean;
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
  const limits =
    !isJson || (isUntouched && input.isAsAsked)
      ? limitsOf(call.shape)
      : readOutputLimits(body, call.shape, operation.apiFormat.capPlaces ?? NO_PLACES);
  let sent =
    input.hasDefaultCap && overridden.value.body === written.body
      ? { ...limits, outputCap: undefined }
      : limits;
  if (written.writesCache === true) sent = { ...sent, writesCache: true };
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
  return whenKnown(signing, ready);
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
