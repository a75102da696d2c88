import type { ChatRequest } from '../../../model/chat.js';
import type { Warning } from '../../../model/warning.js';
import { isDocument } from '../../../formats/shared/fields/json-fields.js';
import {
  otherFormatValue,
  warnOfLost,
  warnOfOtherFormatFields,
  warnOfUnsupported,
} from '../../../formats/shared/fields/dropped-fields.js';
import type { RequestEdits, WrittenRequest } from '../../../formats/contract/api-format.js';
import { CONVERSE_FORMAT } from './id.js';
import {
  familyOf,
  hasNativeSchema,
  isGptOss,
  type ModelFamily,
  refusesSampling,
  supportsCachePoints,
  supportsForcedTools,
  thinksAdaptively,
} from './model-family.js';
import { type Thinking, writeThinking } from './thinking.js';
import { TurnWriter } from './write-messages.js';
import { claudeSchema } from '../../../formats/shared/fields/claude-schema.js';
import { passThroughFields, writtenBody } from '../../../formats/shared/requests/drop-refused-members.js';
import { withMarkedPrefixes } from '../../../formats/shared/requests/mark-prefixes.js';
import type { CacheMark } from '../../../model/content.js';
import type { Tool } from '../../../model/tool.js';
import { toolSchema } from '../../../formats/shared/fields/tool-schema.js';
import { answerToolOf } from './answer-tool.js';
import { rowFor } from '../../../formats/shared/fields/tool-roots.js';
import { CONVERSE_ROOTS } from './tool-roots.js';

const cachePoint = (mark: CacheMark | undefined, model: string): Record<string, unknown>[] =>
  mark === undefined || !supportsCachePoints(model)
    ? []
    : [{ cachePoint: { type: 'default', ...(mark.ttl === undefined ? {} : { ttl: mark.ttl }) } }];

/** Members a caller of any format may give for this vendor by their own names; they steer neither place nor price. */
const CALLERS_FIELDS = ['guardrailConfig', 'requestMetadata', 'additionalModelResponseFieldPaths'] as const;
/** Tokens for the answer beside the thinking budget when the request has no cap. */
const ANSWER_BESIDE_BUDGET = 4_096;

/** Neutral request → body of Converse and ConverseStream. The model stands in the address. */
export function writeConverseRequest(asked: ChatRequest, edits: RequestEdits): WrittenRequest {
  const request = edits.marksPrefixes === true ? withMarkedPrefixes(asked) : asked;
  const warnings: Warning[] = [];
  const model = edits.upstreamModel;
  const family = familyOf(model);
  warnOfUnsupported(
    {
      frequency_penalty: request.frequencyPenalty,
      presence_penalty: request.presencePenalty,
      seed: request.seed,
    },
    'Bedrock',
    warnings,
  );
  warnOfLost(request, ['detail', 'strict', 'user', 'answers', 'json-answers'], warnings);
  if (!thinksAdaptively(model)) warnOfLost(request, ['display'], warnings);
  const thinking = writeThinking(request, model, edits.outputCap ?? request.maxOutputTokens, warnings);
  const schema = request.responseFormat?.type === 'json-schema' ? request.responseFormat : undefined;
  const hasNative = schema !== undefined && family === 'anthropic' && hasNativeSchema(model);
  const asksByTool =
    schema !== undefined && !hasNative && !thinking.isClaudeThinking && supportsForcedTools(model);
  const tools = writeTools(request, model, thinking.isClaudeThinking, asksByTool, warnings);
  const isChoiceNone = request.toolChoice?.type === 'none' && !asksByTool;
  const toolConfig = isChoiceNone ? undefined : tools.toolConfig;

  const turns = new TurnWriter(model, toolConfig !== undefined, warnings);
  turns.write(request);
  if (schema !== undefined && !hasNative && !asksByTool)
    turns.system.push({ text: instruction(schema.schema) });

  const sampling = writeSampling(request, model, family, thinking, edits, warnings);
  const fields = {
    ...sampling.fields,
    ...tools.fields,
    ...thinking.fields,
    ...(hasNative
      ? {
          output_config: {
            ...(thinking.fields['output_config'] as object | undefined),
            format: { type: 'json_schema', schema: claudeSchema(schema.schema) },
          },
        }
      : {}),
  };
  const body: Record<string, unknown> = {
    messages: turns.turns,
    ...(turns.system.length === 0 ? {} : { system: turns.system }),
    ...(Object.keys(sampling.config).length === 0 ? {} : { inferenceConfig: sampling.config }),
    ...(toolConfig === undefined ? {} : { toolConfig }),
    ...(Object.keys(fields).length === 0 ? {} : { additionalModelRequestFields: fields }),
    ...(family === 'anthropic' ? { additionalModelResponseFieldPaths: ['/delta/stop_sequence'] } : {}),
    ...passThroughFields(request, CALLERS_FIELDS),
  };
  warnOfOtherFormatFields(request.vendorOptions, CONVERSE_FORMAT, warnings);
  const written = writtenBody(edits, body, warnings);
  return request === asked ? written : { ...written, writesCache: true };
}

interface Sampling {
  readonly config: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, unknown>>;
}

function writeSampling(
  request: ChatRequest,
  model: string,
  family: ModelFamily,
  thinking: Thinking,
  edits: RequestEdits,
  warnings: Warning[],
): Sampling {
  const config: Record<string, unknown> = {};
  const fields: Record<string, unknown> = {};
  const refuses = thinking.isClaudeThinking || refusesSampling(model);
  const isPlainOpenai = family === 'openai' && !isGptOss(model);
  const given = { temperature: request.temperature, top_p: request.topP, top_k: request.topK };
  if (refuses || isPlainOpenai) {
    for (const [setting, value] of Object.entries(given)) {
      if (value !== undefined) warnings.push({ setting, reason: 'this model refuses it' });
    }
  } else {
    if (request.temperature !== undefined) config['temperature'] = clamp(request.temperature, warnings);
    if (request.topP !== undefined) config['topP'] = request.topP;
    if (request.topK !== undefined) writeTopK(request.topK, family, fields, warnings);
  }
  const maxTokens =
    edits.outputCap ??
    request.maxOutputTokens ??
    (thinking.budgetTokens > 0 ? thinking.budgetTokens + ANSWER_BESIDE_BUDGET : undefined);
  if (maxTokens !== undefined && !thinking.dropsCap) config['maxTokens'] = maxTokens;
  const stop = request.stop?.filter((sequence) => sequence.trim() !== '');
  if (stop !== undefined && stop.length > 0) {
    if (family === 'openai') warnings.push({ setting: 'stop', reason: 'this model refuses it' });
    else config['stopSequences'] = stop;
  }
  return { config, fields };
}

function writeTopK(
  topK: number,
  family: ModelFamily,
  fields: Record<string, unknown>,
  warnings: Warning[],
): void {
  if (family === 'anthropic' || family === 'mistral') fields['top_k'] = topK;
  else if (family === 'nova') fields['inferenceConfig'] = { topK };
  else warnings.push({ setting: 'top_k', reason: 'this model has no such setting' });
}

function clamp(temperature: number, warnings: Warning[]): number {
  if (temperature <= 1) return temperature;
  warnings.push({ setting: 'temperature', reason: 'the upstream takes at most 1' });
  return 1;
}

/** For models that cannot be bound: the schema as an instruction. */
function instruction(schema: unknown): string {
  const text = isDocument(schema) ? JSON.stringify(schema) : '{"type":"object"}';
  return `Answer with nothing but one JSON object that matches this JSON schema, without code fences: ${text}`;
}

/** Tools of a request in the vendor's shape. */
export interface WrittenTools {
  readonly toolConfig: Readonly<Record<string, unknown>> | undefined;
  /** Members of `additionalModelRequestFields`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * @param isThinking    Claude thinks: it cannot be made to call a tool then
 * @param asksByTool    a tool of its own returns the structured answer
 */
export function writeTools(
  request: ChatRequest,
  model: string,
  isThinking: boolean,
  asksByTool: boolean,
  warnings: Warning[],
): WrittenTools {
  const tools = (request.tools ?? []).flatMap((tool) => writeTool(tool, model, warnings));
  const format = request.responseFormat;
  const answerTool = asksByTool ? answerToolOf(request) : undefined;
  if (answerTool !== undefined && format?.type === 'json-schema') {
    const description = format.description ?? 'Respond with a JSON object.';
    const json = toolSchema(format.schema, rowFor(CONVERSE_ROOTS, model).roots, warnings);
    tools.push({ toolSpec: { name: answerTool, description, inputSchema: { json } } });
  }
  if (tools.length === 0) return { toolConfig: undefined, fields: {} };
  const choice =
    answerTool === undefined
      ? writeChoice(request, model, isThinking, warnings)
      : (request.tools?.length ?? 0) === 0
        ? { tool: { name: answerTool } }
        : { any: {} };
  return {
    toolConfig: { tools, ...(choice === undefined ? {} : { toolChoice: choice }) },
    fields: writeParallel(request, model, warnings),
  };
}

function writeTool(tool: Tool, model: string, warnings: Warning[]): Record<string, unknown>[] {
  if (tool.type === 'web-search') {
    warnings.push({ setting: 'tools', reason: 'this upstream has no web search of its own' });
    return [];
  }
  if (tool.type === 'vendor') {
    if (tool.apiFormat === CONVERSE_FORMAT) return [tool.value as Record<string, unknown>];
    warnings.push(otherFormatValue('tools', 'tool', tool));
    return [];
  }
  const { name, description, parameters } = tool;
  const toolSpec = {
    name,
    // The vendor refuses an empty description.
    ...(description === undefined || description.trim() === '' ? {} : { description }),
    inputSchema: { json: toolSchema(parameters, rowFor(CONVERSE_ROOTS, model).roots, warnings) },
  };
  return [{ toolSpec }, ...cachePoint(tool.cache, model)];
}

function writeChoice(
  request: ChatRequest,
  model: string,
  isThinking: boolean,
  warnings: Warning[],
): Record<string, unknown> | undefined {
  const choice = request.toolChoice;
  if (choice === undefined || choice.type === 'auto') return choice === undefined ? undefined : { auto: {} };
  if (choice.type === 'none') return undefined;
  if (choice.type === 'vendor') {
    warnings.push(otherFormatValue('tool_choice', 'choice', choice));
    return undefined;
  }
  if (isThinking || !supportsForcedTools(model)) {
    const reason = isThinking
      ? 'a model that thinks cannot be made to call a tool'
      : 'this model cannot be made to call a tool';
    warnings.push({ setting: 'tool_choice', reason });
    return undefined;
  }
  return choice.type === 'named' ? { tool: { name: choice.name } } : { any: {} };
}

function writeParallel(
  request: ChatRequest,
  model: string,
  warnings: Warning[],
): Readonly<Record<string, unknown>> {
  if (request.parallelToolCalls !== false) return {};
  if (familyOf(model) === 'anthropic') {
    return { tool_choice: { type: 'auto', disable_parallel_tool_use: true } };
  }
  warnings.push({
    setting: 'parallel_tool_calls',
    reason: 'this model cannot be limited to one tool at a time',
  });
  return {};
}
