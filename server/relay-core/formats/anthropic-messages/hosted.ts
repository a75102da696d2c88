import { readField, scanObject, spliceFields, type ScannedObject } from '../../framing/json-splice.js';
import type { Warning } from '../../model/warning.js';
import { warnOfLost } from '../shared/fields/dropped-fields.js';
import { documentOf } from '../shared/fields/json-fields.js';
import type { RequestEdits, UpstreamFormat } from '../contract/api-format.js';
import { anthropicMessages } from './index.js';
import { type HostBetas, takenBetas, withoutBetaMembers } from './host-betas.js';
import { modelRulesOf } from './model-rules.js';
import { OUTPUT_CONFIG } from './read-request.js';
import { type MarkRules, withTakenMarks } from './passed-marks.js';
import { repaired, spliceChanges } from './splice-request.js';
import { BETA_HEADER, listBetas } from './vendor-headers.js';
import { writeMessagesBody } from './write-request.js';

const OUTPUT_FORMAT = 'output_format';

/** Form of Messages bodies at a cloud: the model and streaming stand in the address there. */
export interface MessagesHost {
  /** `vertex-2023-10-16`, `bedrock-2023-05-31`. */
  readonly anthropicVersion: string;
  /** Top-level members the host refuses. */
  readonly refusedMembers: readonly string[];
  /** Beta features that the host takes. */
  readonly betas: HostBetas;
  /** Beta features are named in the body (`anthropic_beta`) instead of a header. */
  readonly takesBetasInBody: boolean;
  /** Returns true when the host offers structured output for a model that has it; absent = always. */
  hasStructuredOutput?(model: string): boolean;
  /** Returns true when the host keeps cached prefixes of a model for the time that a mark names; absent = always. */
  takesCacheTtl?(model: string): boolean;
}

/**
 * The Messages format as a cloud hosts it. Its id stays the format's own, so that clients of Anthropic's dialect pass
 * through untouched: their bytes go on with only what the host wants changed.
 */
export function hostedMessages(host: MessagesHost): UpstreamFormat<'chat'> {
  const marksOf = ({ upstreamModel }: RequestEdits): MarkRules => ({
    scope: false,
    ttl: host.takesCacheTtl?.(upstreamModel) ?? true,
  });
  return {
    ...anthropicMessages,
    needsRewrite: (document, upstreamModel) =>
      host.hasStructuredOutput?.(upstreamModel) === false && asksForForm(document)
        ? 'answer'
        : anthropicMessages.needsRewrite?.(document, upstreamModel),
    spliceRequest: (call, edits, warnings = []) => {
      const changes = spliceChanges(call, edits);
      for (const name of ['model', 'stream', ...host.refusedMembers]) changes.set(name, undefined);
      changes.set('anthropic_version', host.anthropicVersion);
      const asked = listBetas(call.vendorHeaders?.[BETA_HEADER]) ?? [];
      const betas = takenBetas(asked, host.betas(edits.upstreamModel));
      withoutBetaMembers(call.document, betas, changes, warnings);
      if (host.takesBetasInBody && betas.length > 0) changes.set('anthropic_beta', betas);
      moveFormat(call.document, changes);
      const body = withTakenMarks(spliceFields(call.document, changes), marksOf(edits), warnings);
      return repaired(body, call);
    },
    writeRequest: (request, edits) => {
      const rules = modelRulesOf(edits.upstreamModel);
      const isStructured = host.hasStructuredOutput?.(edits.upstreamModel) ?? true;
      const written = writeMessagesBody(request, edits, {
        ...rules,
        hasStructuredOutput: rules.hasStructuredOutput && isStructured,
      });
      const body: Record<string, unknown> = { anthropic_version: host.anthropicVersion, ...written.body };
      for (const name of ['model', 'stream', ...host.refusedMembers]) delete body[name];
      const warnings = [...written.warnings];
      if (request.user !== undefined && host.refusedMembers.includes('metadata'))
        warnOfLost(request, ['user'], warnings);
      return {
        ...written,
        body: withTakenMarks(plainBody(body, warnings), marksOf(edits), warnings),
        warnings,
      };
    },
  };
}

const asksForForm = (document: ScannedObject): boolean =>
  documentOf(readField(document, OUTPUT_CONFIG))['format'] != null ||
  (document.members.has(OUTPUT_FORMAT) && readField(document, OUTPUT_FORMAT) !== null);

/** A written body names no beta features. */
function plainBody(written: Record<string, unknown>, warnings: Warning[]): Buffer {
  const body = Buffer.from(JSON.stringify(written));
  const document = scanObject(body);
  if (typeof document === 'string') return body;
  const changes = new Map<string, unknown>();
  withoutBetaMembers(document, [], changes, warnings);
  return changes.size === 0 ? body : spliceFields(document, changes);
}

/**
 * Anthropic still takes a form under its name of the beta time, Bedrock refuses it
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs, read 2026-11-25).
 */
function moveFormat(document: ScannedObject, changes: Map<string, unknown>): void {
  if (!document.members.has(OUTPUT_FORMAT)) return;
  changes.set(OUTPUT_FORMAT, undefined);
  const config = documentOf(readField(document, OUTPUT_CONFIG));
  const format = config['format'] ?? readField(document, OUTPUT_FORMAT);
  if (format !== null && format !== undefined) changes.set(OUTPUT_CONFIG, { ...config, format });
}
