import type { ChatRequest } from '../../../model/chat.js';
import type { CacheMark } from '../../../model/content.js';
import type { Tool } from '../../../model/tool.js';
import type { Warning } from '../../../model/warning.js';
import { toolSchema } from '../../../formats/shared/fields/tool-schema.js';
import { answerToolOf } from './answer-tool.js';
import { rowFor } from '../../../formats/shared/fields/tool-roots.js';
import { CONVERSE_FORMAT } from './id.js';
import { CONVERSE_ROOTS } from './tool-roots.js';
import { familyOf, supportsCachePoints, supportsForcedTools } from './model-family.js';
import { otherFormatValue } from '../../../formats/shared/fields/dropped-fields.js';

/** Tools of a request in the vendor's shape. */
export interface WrittenTools {
  readonly toolConfig: Readonly<Record<string, unknown>> | undefined;
  /** Members of `additionalModelRequestFields`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * @param isThinking    Claude thinks: it cannot be made to call a tool then
 * @param asksByTool    the bound answer is asked for by a tool of its own
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

const cachePoint = (mark: CacheMark | undefined, model: string): Record<string, unknown>[] =>
  mark === undefined || !supportsCachePoints(model)
    ? []
    : [{ cachePoint: { type: 'default', ...(mark.ttl === undefined ? {} : { ttl: mark.ttl }) } }];

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
    reason: 'this model cannot be told to call one tool at a time',
  });
  return {};
}
