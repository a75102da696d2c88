import { requestRefusal } from '../../model/refusals.js';
import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { ChatRequest, Message, ReasoningRequest, ResponseFormat } from '../../model/chat.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown, type VendorOptions } from '../../model/vendor-options.js';
import { readAnyToolChoice } from '../shared/requests/tool-choice.js';
import { readOtherFormatParts } from '../other-format-parts.js';
import { given, isDocument, readStops, textOf, type Document } from '../shared/fields/json-fields.js';
import { invalidRequest } from '../shared/fields/request-fields.js';
import { invalidBody } from '../shared/fields/schema-fault.js';
import { camelled, camelFields } from '../shared/fields/proto-names.js';
import { GENERATE_FORMAT } from './id.js';
import { openSchema } from './open-schema.js';
import { readContents, systemMessage } from './read-contents.js';
import { keepToolConfig, readToolChoice, readTools } from './read-tools.js';
import {
  generateRequestSchema,
  KNOWN_REQUEST_FIELDS,
  type GeminiRequest,
  type GeminiGenerationConfig,
} from './schema.js';

/** Body → neutral request. Fails: invalid-request, with the path of the first field at fault. */
export function readGenerateRequest(body: unknown, shape: CallShape): Result<ChatRequest, RelayError> {
  const parsed = generateRequestSchema.safeParse(settleSpelling(body));
  if (!parsed.success) return invalidBody(parsed.error);
  const fields = parsed.data;
  const config: GeminiGenerationConfig = fields.generationConfig ?? {};
  const system = systemMessage(fields.systemInstruction);
  const messages: Message[] = [
    ...(system === undefined ? [] : [system]),
    ...readContents(Array.isArray(fields.contents) ? fields.contents : [fields.contents]),
  ];
  const whole = readOtherFormatParts(messages, fields, ['systemInstruction', 'contents']);
  if (messages.length === 0) return invalidRequest("'contents' holds no parts.", 'contents');
  const tools = readTools(fields.tools ?? []);
  return ok({
    messages: whole,
    choices: shape.choices,
    stream: shape.stream,
    wantsStreamUsage: shape.stream,
    ...(tools.length === 0 ? {} : { tools }),
    ...given('toolChoice', readToolChoice(fields.toolConfig) ?? readAnyToolChoice(fields['toolChoice'])),
    ...given('maxOutputTokens', shape.outputCap),
    ...given('temperature', config.temperature),
    ...given('topP', config.topP),
    ...given('topK', config.topK),
    ...given('frequencyPenalty', config.frequencyPenalty),
    ...given('presencePenalty', config.presencePenalty),
    ...given('seed', config.seed),
    ...given('stop', readStops(config.stopSequences)),
    ...given('responseFormat', readFormat(config)),
    ...given('reasoning', readThinking(config.thinkingConfig)),
    ...given('vendorOptions', keepRest(fields, config)),
  });
}

/** First spelling at every level this grammar owns. */
function settleSpelling(body: unknown): unknown {
  if (!isDocument(body)) return body;
  const request: Record<string, unknown> = { ...camelFields(body) };
  const config = camelled(request['generationConfig']);
  if (isDocument(config)) {
    request['generationConfig'] = { ...config, ...settled(config, ['thinkingConfig']) };
  }
  const toolConfig = camelled(request['toolConfig']);
  if (isDocument(toolConfig)) {
    request['toolConfig'] = { ...toolConfig, ...settled(toolConfig, ['functionCallingConfig']) };
  }
  if (Array.isArray(request['tools'])) request['tools'] = request['tools'].map(camelled);
  else if (isDocument(request['tools'])) request['tools'] = [camelFields(request['tools'])];
  return request;
}

function settled(document: Document, names: readonly string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of names) if (isDocument(document[name])) found[name] = camelFields(document[name]);
  return found;
}

/** Settings the neutral request owns; the others stay under `generationConfig` for this format. */
const KNOWN_CONFIG_FIELDS: ReadonlySet<string> = new Set([
  'temperature',
  'topP',
  'topK',
  'candidateCount',
  'maxOutputTokens',
  'stopSequences',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  '_responseJsonSchema',
  'thinkingConfig',
]);

function keepRest(body: GeminiRequest, config: GeminiGenerationConfig): VendorOptions | undefined {
  const rest = keepUnknown(GENERATE_FORMAT, body, KNOWN_REQUEST_FIELDS)?.[GENERATE_FORMAT];
  const configRest: Record<string, unknown> = {
    ...keepUnknown(GENERATE_FORMAT, config, KNOWN_CONFIG_FIELDS)?.[GENERATE_FORMAT],
  };
  // A form only this format has stays with what it needs.
  if (readFormat(config) === undefined) {
    for (const name of FORMAT_FIELDS) if (config[name] != null) configRest[name] = config[name];
  }
  const toolRest = keepToolConfig(body.toolConfig ?? {});
  const kept = {
    ...rest,
    ...(Object.keys(configRest).length === 0 ? {} : { generationConfig: configRest }),
    ...(toolRest === undefined ? {} : { toolConfig: toolRest }),
  };
  return Object.keys(kept).length === 0 ? undefined : { [GENERATE_FORMAT]: kept };
}

const FORMAT_FIELDS = ['responseSchema', 'responseJsonSchema', 'responseMimeType'] as const;
/** A name for schemas, which this grammar gives none. */
const SCHEMA_NAME = 'response';

function readFormat(config: GeminiGenerationConfig): ResponseFormat | undefined {
  if (config.responseMimeType === ENUM_MEDIA_TYPE) return readEnumFormat(config);
  if (config.responseMimeType != null && !PLAIN_FORMATS.has(config.responseMimeType)) return undefined;
  const schema = config['responseJsonSchema'] ?? config['_responseJsonSchema'];
  if (isDocument(schema)) return { type: 'json-schema', name: nameOf(schema), schema, isStrict: true };
  if (isDocument(config['responseSchema'])) {
    const open = openSchema(config['responseSchema']);
    return { type: 'json-schema', name: nameOf(open), schema: open, isStrict: true };
  }
  if (config.responseMimeType === 'application/json') return { type: 'json' };
  return config.responseMimeType === 'text/plain' ? { type: 'text' } : undefined;
}

/** The answer is one of the schema's words, without quotes (https://ai.google.dev/gemini-api/docs/structured-output, read 2026-11-25). */
const ENUM_MEDIA_TYPE = 'text/x.enum';

function readEnumFormat(config: GeminiGenerationConfig): ResponseFormat | undefined {
  const sent = config['responseSchema'] ?? config['responseJsonSchema'] ?? config['_responseJsonSchema'];
  if (!isDocument(sent)) return undefined;
  const schema = openSchema(sent);
  if (!isDocument(schema) || !Array.isArray(schema['enum'])) return undefined;
  return { type: 'json-schema', name: nameOf(schema), schema, isStrict: true, isBareEnumValue: true };
}

/** Reason why only Google can answer in the requested form; undefined = others can. */
export function googleOnlyFormat(config: GeminiGenerationConfig): RelayError | undefined {
  const { responseMimeType: type } = config;
  if (type == null || PLAIN_FORMATS.has(type) || readFormat(config) !== undefined) return undefined;
  const what =
    type === ENUM_MEDIA_TYPE
      ? 'needs a schema with an enum'
      : 'is a form the upstream of this model does not write';
  return requestRefusal(`'generationConfig.responseMimeType' ${what}.`, 'generationConfig.responseMimeType');
}

const PLAIN_FORMATS: ReadonlySet<string> = new Set(['application/json', 'text/plain']);

function nameOf(schema: unknown): string {
  const title = isDocument(schema) ? textOf(schema['title']) : undefined;
  return title !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(title) ? title : SCHEMA_NAME;
}

function readThinking(config: Document | null | undefined): ReasoningRequest | undefined {
  if (config === null || config === undefined) return undefined;
  const budget = config['thinkingBudget'];
  const level = textOf(config['thinkingLevel'])?.toLowerCase();
  const shows = config['includeThoughts'];
  return {
    ...(typeof budget === 'number' && budget >= 0 ? { budgetTokens: Math.floor(budget) } : {}),
    ...(typeof budget === 'number' && budget < 0 ? { isDynamic: true } : {}),
    ...(level === undefined || level === 'thinking_level_unspecified' ? {} : { effort: level }),
    // Only callers that request thoughts get them.
    summary: shows === true ? 'auto' : 'none',
  };
}
