import { requestRefusal } from '../../model/refusals.js';
import type { ChatRequest, ResponseFormat } from '../../model/chat.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';
import { type Document, documentOf, isDocument, setGiven } from '../shared/fields/json-fields.js';
import type { RequestEdits, WrittenRequest } from '../contract/api-format.js';
import { orderHistory } from '../shared/requests/order-history.js';
import { cleanSchema } from './clean-schema.js';
import { GENERATE_FORMAT } from './id.js';
import { FORBIDDEN_GENERATE_FIELDS } from './splice-request.js';
import { generationOf, writeThinking } from './thinking.js';
import { writeContents } from './write-contents.js';
import { otherFormatValue, warnOfOtherFormatFields } from '../shared/fields/dropped-fields.js';
import { writtenBody } from '../shared/requests/drop-refused-members.js';
import type { Tool, ToolChoice } from '../../model/tool.js';
import { toolSchema } from '../shared/fields/tool-schema.js';
import { PLAIN_ROOTS } from '../shared/fields/tool-roots.js';
import { PARAMETERS_AS_SENT } from './read-tools.js';

/** From here on models take functions and Google's own tools in one request. */
const MIXING_GENERATION = 3;

/** Functions of these names are Google's own tools: how clients of other grammars ask for them. */
const OWN_TOOLS: ReadonlySet<string> = new Set(['googleSearch', 'codeExecution', 'urlContext']);

/** Differences between vendors of this format. */
export interface GenerateRules {
  /** Ids of calls and results are taken. */
  readonly keepsCallIds: boolean;
  /** They are taken from clients of this grammar, who got them from the vendor itself; absent = as `keepsCallIds`. */
  readonly passesCallIds?: boolean;
  /** Calls without their signature get a stand-in whatever the model. */
  readonly addsSignatures: boolean;
}

/** Stop sequences a request may have. */
const MAX_STOP_SEQUENCES = 5;
/** From here on answers follow JSON schemas as they are. */
const JSON_SCHEMA_GENERATION = 2.5;

/** Neutral request → body for an upstream of this format. What another format alone knows is left out with a warning. */
export function writeGenerateRequest(
  request: ChatRequest,
  edits: RequestEdits,
  rules: GenerateRules,
): WrittenRequest {
  const warnings: Warning[] = [];
  warnOfOtherFormatFields(request.vendorOptions, GENERATE_FORMAT, warnings);
  const model = edits.upstreamModel;
  const own = { ...request.vendorOptions?.[GENERATE_FORMAT] } as Record<string, unknown>;
  const { generationConfig: keptConfig, toolConfig: keptToolConfig, ...rest } = own;
  for (const name of FORBIDDEN_GENERATE_FIELDS) delete rest[name];
  const history = orderHistory(request, warnings, { inCallOrder: true });
  const { contents, system } = writeContents(history, { model, ...rules }, warnings);
  const { tools, isMixed } = writeTools(request.tools ?? [], model, warnings);
  const config = writeConfig(request, edits, documentOf(keptConfig), warnings);
  const toolConfig = writeToolConfig({
    choice: request.toolChoice,
    kept: keptToolConfig,
    isMixed,
    hasFunctions: tools.some((tool) => 'functionDeclarations' in tool),
    warnings,
  });
  if (request.parallelToolCalls === false) {
    warnings.push({
      setting: 'parallel_tool_calls',
      reason: 'this format cannot forbid several calls at once',
    });
  }
  if (request.user !== undefined) {
    warnings.push({ setting: 'user', reason: 'this format has no field for it' });
  }
  const body: Record<string, unknown> = {
    ...rest,
    contents,
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(toolConfig === undefined ? {} : { toolConfig }),
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
  };
  return writtenBody(edits, body, warnings);
}

function writeConfig(
  request: ChatRequest,
  edits: RequestEdits,
  kept: Readonly<Record<string, unknown>>,
  warnings: Warning[],
): Record<string, unknown> {
  const config: Record<string, unknown> = { ...kept };
  setGiven(config, 'temperature', request.temperature);
  setGiven(config, 'topP', request.topP);
  setGiven(config, 'topK', request.topK);
  setGiven(config, 'presencePenalty', request.presencePenalty);
  setGiven(config, 'frequencyPenalty', request.frequencyPenalty);
  setGiven(config, 'seed', request.seed);
  setGiven(config, 'maxOutputTokens', edits.outputCap ?? request.maxOutputTokens);
  if (request.choices > 1) config['candidateCount'] = request.choices;
  const stop = request.stop ?? [];
  if (stop.length > 0) config['stopSequences'] = stop.slice(0, MAX_STOP_SEQUENCES);
  if (stop.length > MAX_STOP_SEQUENCES) {
    const reason = `this format takes ${MAX_STOP_SEQUENCES} stop sequences; the first ones were sent`;
    warnings.push({ setting: 'stop', reason });
  }
  const thinking = writeThinking(request.reasoning, edits.upstreamModel, warnings);
  const keptThinking = documentOf(kept['thinkingConfig']);
  const merged = { ...thinking, ...keptThinking };
  if (Object.keys(merged).length > 0) config['thinkingConfig'] = merged;
  if (request.responseFormat !== undefined)
    writeFormat(request.responseFormat, edits.upstreamModel, config, warnings);
  return config;
}

function writeFormat(
  format: ResponseFormat,
  model: string,
  config: Record<string, unknown>,
  warnings: Warning[],
): void {
  if (format.type === 'text') return;
  if (format.type === 'json-schema' && format.isBareEnumValue === true) {
    config['responseMimeType'] = 'text/x.enum';
    config['responseSchema'] = cleanSchema(format.schema, 'response_format', warnings);
    return;
  }
  config['responseMimeType'] = 'application/json';
  if (format.type !== 'json-schema' || !isDocument(format.schema)) return;
  if (generationOf(model) >= JSON_SCHEMA_GENERATION) {
    const { $schema: _dialect, ...schema } = format.schema;
    config['responseJsonSchema'] = schema;
    return;
  }
  const schema = cleanSchema(format.schema, 'response_format', warnings);
  if (schema !== undefined) config['responseSchema'] = schema;
}

/** Requests that a vendor of this format cannot serve at all. The vendor limits the number of images. */
export function refuseGenerateRequest({ messages }: ChatRequest): RelayError | undefined {
  if (messages.some(({ role }) => role !== 'system' && role !== 'developer')) return undefined;
  const message = 'The conversation has no turn of a user: this model needs one.';
  return requestRefusal(message, 'messages');
}

export interface WrittenTools {
  readonly tools: readonly Document[];
  /** Functions and Google's own tools stand side by side. */
  readonly isMixed: boolean;
}

/** Tools in this format's words. Models before the third generation take either functions or Google's own tools. */
export function writeTools(tools: readonly Tool[], model: string, warnings: Warning[]): WrittenTools {
  const functions: Document[] = [];
  const own: Record<string, unknown> = {};
  let isStrict = false;
  for (const tool of tools) {
    if (tool.type === 'web-search') {
      const options = { ...documentOf(tool.vendorOptions?.[GENERATE_FORMAT]?.['googleSearch']) };
      if (tool.blockedDomains !== undefined) options['excludeDomains'] ??= tool.blockedDomains;
      if (tool.allowedDomains !== undefined || tool.maxUses !== undefined) {
        warnings.push({
          setting: 'tools',
          reason: "Google's search takes neither allowed domains nor a limit",
        });
      }
      own['googleSearch'] = options;
    } else if (tool.type === 'vendor') {
      if (tool.apiFormat === GENERATE_FORMAT && isDocument(tool.value)) Object.assign(own, tool.value);
      else {
        warnings.push(otherFormatValue('tools', 'tool', tool));
      }
    } else if (OWN_TOOLS.has(tool.name)) own[tool.name] ??= {};
    else functions.push(writeFunction(tool, warnings));
    if (tool.type === 'function' && tool.isStrict === true) isStrict = true;
  }
  if (isStrict) {
    warnings.push({
      setting: 'strict',
      reason: 'this format cannot hold arguments to their schema by force',
    });
  }
  const mixes = functions.length > 0 && Object.keys(own).length > 0;
  const generation = generationOf(model);
  if (mixes && generation > 0 && generation < MIXING_GENERATION) {
    const reason = `this model takes functions or ${Object.keys(own).join(', ')}, not both; the functions stay`;
    warnings.push({ setting: 'tools', reason });
    return { tools: [{ functionDeclarations: functions }], isMixed: false };
  }
  return {
    tools: [
      ...(functions.length === 0 ? [] : [{ functionDeclarations: functions }]),
      ...Object.entries(own).map(([name, value]) => ({ [name]: value })),
    ],
    isMixed: mixes,
  };
}

function writeFunction(tool: Extract<Tool, { type: 'function' }>, warnings: Warning[]): Document {
  const { [PARAMETERS_AS_SENT]: asSent, ...rest } = { ...tool.vendorOptions?.[GENERATE_FORMAT] } as Record<
    string,
    unknown
  >;
  const parameters = isDocument(asSent)
    ? undefined
    : cleanSchema(tool.parameters && toolSchema(tool.parameters, PLAIN_ROOTS, warnings), 'tools', warnings);
  return {
    ...rest,
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(isDocument(asSent) ? asSent : parameters === undefined ? {} : { parameters }),
  };
}

/** `toolConfig`; undefined = the request has none. */
export function writeToolConfig(input: {
  readonly choice: ToolChoice | undefined;
  readonly kept: unknown;
  readonly isMixed: boolean;
  readonly hasFunctions: boolean;
  readonly warnings: Warning[];
}): Document | undefined {
  const kept = documentOf(input.kept);
  const calling = isDocument(kept['functionCallingConfig'])
    ? kept['functionCallingConfig']
    : input.hasFunctions
      ? writeCalling(input.choice, input.isMixed, input.warnings)
      : undefined;
  const config = {
    ...(input.isMixed ? { includeServerSideToolInvocations: true } : {}),
    ...kept,
    ...(calling === undefined ? {} : { functionCallingConfig: calling }),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

function writeCalling(
  choice: ToolChoice | undefined,
  isMixed: boolean,
  warnings: Warning[],
): Document | undefined {
  switch (choice?.type) {
    case undefined:
      return isMixed ? { mode: 'VALIDATED' } : undefined;
    case 'auto':
      return { mode: isMixed ? 'VALIDATED' : 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    case 'named':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
    case 'vendor': {
      warnings.push(otherFormatValue('tool_choice', 'choice', choice));
      return isMixed ? { mode: 'VALIDATED' } : undefined;
    }
  }
}
