import type { ChatRequest } from '../../model/chat.js';
import type { Warning } from '../../model/warning.js';
import type { RequestEdits, WrittenRequest } from '../contract/api-format.js';
import { ANSWER_TOOL } from './answer-tool.js';
import { claudeSchema } from '../shared/fields/claude-schema.js';
import { MESSAGES_FORMAT } from './id.js';
import { modelRulesOf, type ModelRules } from './model-rules.js';
import { FORBIDDEN_FIELDS } from './parse-call.js';
import { METADATA, OUTPUT_CONFIG } from './read-request.js';
import { defaultCapOf } from './splice-request.js';
import { planThinking } from './thinking.js';
import { writeMessages } from './write-messages.js';
import { writeToolChoice, writeTools } from './write-tools.js';
import { warnOfOtherFormatFields } from '../shared/fields/dropped-fields.js';
import { dropRefusedFields } from '../shared/requests/drop-refused-members.js';
import { withMarkedPrefixes } from '../shared/requests/mark-prefixes.js';
import { isDocument, setGiven } from '../shared/fields/json-fields.js';
import type { VendorOptions } from '../../model/vendor-options.js';

/** Neutral settings this format has no member for. */
const UNSUPPORTED = [
  ['frequencyPenalty', 'frequency_penalty'],
  ['presencePenalty', 'presence_penalty'],
  ['seed', 'seed'],
] as const;

/** Smallest `top_p` the vendor takes together with thinking. */
const MIN_THINKING_TOP_P = 0.95;

/**
 * Neutral request → Messages body. What the vendor would refuse beside the rest is changed or
 * left out with a warning.
 */
export function writeMessagesRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const { body, ...rest } = writeMessagesBody(request, edits, modelRulesOf(edits.upstreamModel));
  return { body: Buffer.from(JSON.stringify(body)), ...rest };
}

/** The body before it is bytes, for hosts that put parts of it elsewhere. */
export function writeMessagesBody(
  asked: ChatRequest,
  edits: RequestEdits,
  rules: ModelRules,
): Omit<WrittenRequest, 'body'> & { readonly body: Record<string, unknown> } {
  const request = edits.marksPrefixes === true ? withMarkedPrefixes(asked) : asked;
  const warnings: Warning[] = [];
  const {
    [METADATA]: metadata,
    [OUTPUT_CONFIG]: outputConfig,
    ...own
  } = { ...request.vendorOptions?.[MESSAGES_FORMAT] };
  const { automatic, options } = takeAutomaticCaching(request.vendorOptions);
  warnOfOtherFormatFields(options, MESSAGES_FORMAT, warnings);
  warnOfUnsupportedFields(request, warnings);
  const maxTokens = capOf(request, edits, rules, warnings);
  const body: Record<string, unknown> = { ...automatic, ...own };
  for (const name of FORBIDDEN_FIELDS) delete body[name];
  const { system, messages } = writeMessages(request, warnings);
  Object.assign(body, { model: edits.upstreamModel, max_tokens: maxTokens });
  setGiven(body, 'system', system);
  body['messages'] = messages;
  const isAnswerForced = writeTooling(body, request, rules, warnings);
  const choice = body['tool_choice'] as { readonly type?: unknown } | undefined;
  const isToolForced = choice?.type === 'any' || choice?.type === 'tool';
  const isOpen = edits.outputCap === undefined && request.maxOutputTokens === undefined;
  const plan = planThinking({ request, rules, maxTokens, isOpen, isToolForced, warnings });
  if (plan.maxTokens !== undefined) body['max_tokens'] = plan.maxTokens;
  setGiven(body, 'thinking', plan.thinking);
  const sampling = edits.takesOneSampling === true ? { ...rules, takesBothSamplings: false } : rules;
  writeSampling(body, request, sampling, plan.isOn, warnings);
  writeStops(body, request, warnings);
  const config: Record<string, unknown> = { ...(outputConfig as Record<string, unknown> | undefined) };
  setGiven(config, 'effort', plan.effort);
  if (!isAnswerForced) setGiven(config, 'format', formatOf(request));
  if (Object.keys(config).length > 0) body['output_config'] = config;
  if (request.user !== undefined || metadata !== undefined) {
    body['metadata'] = {
      ...(metadata as Record<string, unknown> | undefined),
      ...(request.user === undefined ? {} : { user_id: request.user }),
    };
  }
  if (request.stream) body['stream'] = true;
  dropRefusedFields(body, edits.refusedMembers, warnings);
  return { body, warnings, ...(request === asked ? {} : { writesCache: true }) };
}

function warnOfUnsupportedFields(request: ChatRequest, warnings: Warning[]): void {
  for (const [name, setting] of UNSUPPORTED) {
    if (request[name] !== undefined) warnings.push({ setting, reason: 'this vendor has no such setting' });
  }
  if (request.choices > 1) warnings.push({ setting: 'n', reason: 'this vendor gives one answer per call' });
  if (request.responseFormat?.type === 'json') {
    warnings.push({ setting: 'response_format', reason: 'this vendor has JSON answers by schema only' });
  }
}

function capOf(request: ChatRequest, edits: RequestEdits, rules: ModelRules, warnings: Warning[]): number {
  const wanted = edits.outputCap ?? request.maxOutputTokens ?? defaultCapOf(edits);
  const most = rules.maxOutputTokens;
  if (most === undefined || wanted <= most) return wanted;
  if (request.maxOutputTokens !== undefined) {
    warnings.push({ setting: 'max_tokens', reason: `this model answers with ${most} tokens at most` });
  }
  return most;
}

/** @returns true when the answer's schema had to become a tool that must be called */
function writeTooling(
  body: Record<string, unknown>,
  request: ChatRequest,
  rules: ModelRules,
  warnings: Warning[],
): boolean {
  const tools = writeTools(request.tools ?? [], rules, warnings);
  const format = request.responseFormat;
  const isAnswerForced =
    format?.type === 'json-schema' && !rules.hasStructuredOutput && rules.takesForcedTools;
  const choice = writeToolChoice(request.toolChoice, request.parallelToolCalls, rules, warnings);
  if (isAnswerForced) {
    tools.push({
      name: ANSWER_TOOL,
      description: format.description ?? 'Gives the final answer. Call it with the answer as its arguments.',
      input_schema: objectSchema(format.schema),
    });
  }
  if (tools.length === 0) return false;
  body['tools'] = tools;
  if (!isAnswerForced) setGiven(body, 'tool_choice', choice);
  else if (tools.length === 1 || choice?.['type'] === 'none') {
    body['tool_choice'] = { type: 'tool', name: ANSWER_TOOL, disable_parallel_tool_use: true };
  } else body['tool_choice'] = choice?.['type'] === 'tool' ? choice : { ...choice, type: 'any' };
  return isAnswerForced;
}

const objectSchema = (schema: unknown): unknown =>
  typeof schema === 'object' && schema !== null ? { type: 'object', ...schema } : { type: 'object' };

function formatOf(request: ChatRequest): unknown {
  const format = request.responseFormat;
  return format?.type === 'json-schema'
    ? { type: 'json_schema', schema: claudeSchema(format.schema) }
    : undefined;
}

function writeSampling(
  body: Record<string, unknown>,
  request: ChatRequest,
  rules: ModelRules,
  isThinking: boolean,
  warnings: Warning[],
): void {
  const { temperature, topP, topK } = request;
  const leaveOut = (setting: string, reason: string): void => {
    warnings.push({ setting, reason });
  };
  if (temperature !== undefined) {
    if (!rules.takesSampling) leaveOut('temperature', 'this model takes no sampling settings');
    else if (isThinking && temperature !== 1)
      leaveOut('temperature', 'it cannot be set while the model thinks');
    else {
      if (temperature > 1) leaveOut('temperature', 'this vendor takes 0 to 1; 1 was sent');
      body['temperature'] = Math.min(1, temperature);
    }
  }
  if (topP !== undefined) {
    if (!rules.takesSampling) leaveOut('top_p', 'this model takes no sampling settings');
    else if (isThinking && topP < MIN_THINKING_TOP_P)
      leaveOut('top_p', 'it cannot be set while the model thinks');
    else if (body['temperature'] !== undefined && !rules.takesBothSamplings) {
      leaveOut('top_p', 'this model takes temperature or top_p, not both');
    } else body['top_p'] = topP;
  }
  if (topK !== undefined) {
    if (!rules.takesSampling) leaveOut('top_k', 'this model takes no sampling settings');
    else if (isThinking) leaveOut('top_k', 'it cannot be set while the model thinks');
    else body['top_k'] = topK;
  }
}

/** Stop sequences of white space only are refused. */
function writeStops(body: Record<string, unknown>, request: ChatRequest, warnings: Warning[]): void {
  const stops = request.stop?.filter((stop) => stop.trim() !== '') ?? [];
  if (stops.length < (request.stop?.length ?? 0)) {
    warnings.push({ setting: 'stop', reason: 'this vendor takes no stop sequences of white space only' });
  }
  if (stops.length > 0) body['stop_sequences'] = stops;
}

/**
 * `cache_control` at the top of a request of another format means what it means here: the vendor marks the last block by itself
 * (https://docs.claude.com/en/docs/build-with-claude/prompt-caching, read 2026-11-28).
 */
function takeAutomaticCaching(options: VendorOptions | undefined): {
  readonly automatic: Readonly<Record<string, unknown>>;
  readonly options: VendorOptions | undefined;
} {
  for (const [apiFormat, fields] of Object.entries(options ?? {})) {
    const { cache_control: mark, ...rest } = fields;
    if (apiFormat === MESSAGES_FORMAT || !isDocument(mark)) continue;
    return { automatic: { cache_control: mark }, options: { ...options, [apiFormat]: rest } };
  }
  return { automatic: {}, options };
}
