import { fail, ok, type Result } from '../../../common/result.js';
import { whenKnown } from '../../../common/now-or-later.js';
import type { NeutralRequest, RequestEdits, WrittenRequest } from '../../formats/contract/api-format.js';
import { refuseUnknownParts } from '../../formats/other-format-parts.js';
import { lostInFitting, lostInImages } from '../../formats/shared/fields/dropped-fields.js';
import { droppedPartOptions } from '../../formats/shared/fields/dropped-part-options.js';
import type { ToolNames } from '../../formats/shared/fields/tool-names.js';
import { wrappedTools } from '../../formats/shared/fields/wrapped-tools.js';
import { withAllowedTools } from '../../formats/shared/requests/allowed-tools.js';
import type { MediaKind } from '../../model/content.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import type { Warning } from '../../model/warning.js';
import type { ModelAdaptation, ProviderCall, ProviderOperation } from '../../providers/provider.js';
import type { ClientCall } from '../context/call-types.js';
import type { RelayPorts } from '../context/relay-ports.js';
import {
  compacted,
  inObjects,
  isChat,
  isImage,
  renamedFor,
  withForm,
  withKnownTools,
  withMovedFiles,
  withSystemPrompt,
  withVendorsNames,
  withWordJson,
} from '../request/change-request.js';
import type { AttemptFacts } from '../request/overrides/attempt-overrides.js';
import { fetchMedia } from '../request/fetch-media.js';
import { fitWritten } from '../request/fit-passed-body.js';
import { describedFor, fitToDescription } from '../request/fit-to-description.js';
import { withoutForeignFiles } from '../request/foreign-files.js';
import { knowsAllowedTools } from '../request/responses-tools.js';
import { withStoredSignatures } from '../request/stored-signatures.js';
import { withPaths } from '../request/warning-paths.js';

/** The endpoint of a call at its vendor. */
export interface Endpoint<O extends Operation> {
  readonly operation: ProviderOperation<O>;
  /** Its route names the model that the vendor gets. */
  readonly call: ProviderCall;
  readonly url: string;
  readonly description: VendorDescription | undefined;
  /** Change that the model's name asks for. */
  readonly change: ModelAdaptation<O>['change'] | undefined;
}

/** A body for the vendor, and names of tools in it that are not the caller's. */
export interface WrittenCall {
  readonly written: WrittenRequest;
  readonly wrapped?: ReadonlySet<string> | undefined;
  readonly renamed?: ToolNames | undefined;
}

export type RewritePorts = Pick<RelayPorts, 'media' | 'gateway' | 'signatures'>;

interface RewriteInput<O extends Operation> {
  readonly clientCall: ClientCall<O>;
  readonly attempt: Pick<AttemptFacts, 'ownerId'>;
}

/**
 * The caller's request, read and written in the vendor's format. Waits for stored signatures and files to fetch.
 * Fails: invalid-request, with what the format cannot express.
 */
export function rewriteCall<O extends Operation>(
  ports: RewritePorts,
  { clientCall, attempt }: RewriteInput<O>,
  endpoint: Endpoint<O>,
  edits: RequestEdits,
): Result<WrittenCall, RelayError> | Promise<Result<WrittenCall, RelayError>> {
  const isOtherFormat = clientCall.apiFormat.id !== endpoint.operation.apiFormat.id;
  const bound = isOtherFormat ? clientCall.parsed.untranslatableReason?.() : undefined;
  if (bound !== undefined) return fail(bound);
  const neutral = clientCall.parsed.neutral();
  if (!neutral.ok) return neutral;
  const write = (asked: NeutralRequest<O>): ReturnType<typeof rewriteCall> => {
    const fitted = fitRequest(ports, clientCall, endpoint, asked);
    if (!fitted.ok) return fitted;
    const { request, lost, wrapped, renamed } = fitted.value;
    return whenKnown(fetchNeeded(ports, endpoint, request), (fetched) => {
      if (!fetched.ok) return fetched;
      const written = writeRequest(endpoint, fetched.value, edits);
      return ok({
        written: { ...written, warnings: [...lost, ...written.warnings] },
        wrapped,
        renamed,
      });
    });
  };
  const asked = neutral.value;
  if (!isChat(asked)) return write(asked);
  return whenKnown(withStoredSignatures(asked, attempt.ownerId, ports.signatures), write);
}

interface FittedRequest<O extends Operation> extends Omit<WrittenCall, 'written'> {
  readonly request: NeutralRequest<O>;
  /** Warnings of what was left out or changed. */
  readonly lost: readonly Warning[];
}

/** The request in the terms of the vendor and of its description. */
function fitRequest<O extends Operation>(
  { gateway }: RewritePorts,
  clientCall: ClientCall<O>,
  { operation: { apiFormat }, call: { route }, description, change }: Endpoint<O>,
  asked: NeutralRequest<O>,
): Result<FittedRequest<O>, RelayError> {
  const { upstreamModel } = route;
  const clientFormat = clientCall.apiFormat.id;
  const formats = { clientFormat, apiFormat: apiFormat.id };
  const files: Warning[] = [];
  const open = isChat(asked) ? withoutForeignFiles(asked, formats, files) : { request: asked };
  if ('refusal' in open) return fail(open.refusal);
  const formed = isChat(open.request)
    ? withForm(
        compacted(open.request, { ...formats, description, upstreamModel }, files),
        clientFormat,
        apiFormat,
      )
    : open.request;
  const changed = change?.(formed) ?? formed;
  const wrapped = isChat(changed) ? wrappedTools(changed) : undefined;
  const limited = isChat(changed)
    ? withAllowedTools(changed, apiFormat.id, knowsAllowedTools(apiFormat.id, description))
    : changed;
  const unfitted: Warning[] = [];
  const instructed = withSystemPrompt(inObjects(limited, wrapped), route);
  const prompted = withWordJson(instructed, clientFormat, apiFormat.id);
  const fitted =
    description === undefined || !isChat(prompted)
      ? prompted
      : (fitToDescription(
          prompted,
          describedFor(description, apiFormat.id),
          upstreamModel,
          gateway,
          unfitted,
        ) as typeof prompted);
  const known = withKnownTools(
    withMovedFiles(fitted, apiFormat, upstreamModel, unfitted),
    apiFormat,
    description,
  );
  const renamed = isChat(known) ? renamedFor(known, clientFormat, apiFormat, description) : undefined;
  const request = withVendorsNames(known, renamed);
  const refusal =
    (isChat(request) ? refuseUnknownParts(request, apiFormat.id) : undefined) ??
    apiFormat.refuseRequest?.(request);
  if (refusal !== undefined) return fail(refusal);
  let lost: readonly Warning[] = [];
  if (isImage(formed) && isImage(changed)) lost = lostInImages(formed, changed);
  if (isChat(formed) && isChat(changed))
    lost = [
      ...files,
      ...unfitted,
      ...lostInFitting(formed, changed),
      ...withPaths(droppedPartOptions(formed, apiFormat.id), clientCall.parsed.document),
    ];
  return ok({ request, lost, wrapped, renamed });
}

/** The request with the bytes of files whose addresses the vendor does not take. */
function fetchNeeded<O extends Operation>(
  { media }: RewritePorts,
  { operation, call, description }: Endpoint<O>,
  request: NeutralRequest<O>,
): Result<NeutralRequest<O>, RelayError> | Promise<Result<NeutralRequest<O>, RelayError>> {
  const needsBytes = (kind: MediaKind, url: string): boolean | undefined =>
    operation.apiFormat.bytesOnly?.includes(kind) === true ||
    (kind === 'image' && description?.images?.bytesOnly === true && /^https?:/i.test(url)) ||
    operation.needsBytes?.(kind, url, call);
  return fetchMedia(media, request, needsBytes) ?? ok(request);
}

const writeRequest = <O extends Operation>(
  { operation: { apiFormat }, call: { route }, description }: Endpoint<O>,
  request: NeutralRequest<O>,
  edits: RequestEdits,
): WrittenRequest =>
  fitWritten(apiFormat.writeRequest(request, edits), apiFormat.id, description, route.upstreamModel);
