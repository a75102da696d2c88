import type { Tool, ToolChoice } from '../../model/tool.js';
import { readAnyToolChoice } from '../shared/requests/tool-choice.js';
import { documentOf, listOf, numberOf, textOf } from '../shared/fields/json-fields.js';
import { MESSAGES_FORMAT } from './id.js';
import { optionsOf } from './read-blocks.js';
import type { AnthropicRequest, AnthropicTool } from './schema.js';
import { readCacheMark } from '../shared/fields/cache-marks.js';

const FUNCTION_FIELDS = new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control']);
const SEARCH_FIELDS = new Set([
  'max_uses',
  'allowed_domains',
  'blocked_domains',
  'user_location',
  'cache_control',
]);
const PLACES = ['country', 'region', 'city', 'timezone'] as const;

/** Tools as the caller declares them. Those the vendor runs itself belong to this format, but for its web search. */
export function readTool(tool: AnthropicTool): Tool {
  const type = tool.type ?? 'custom';
  if (type === 'custom' && typeof tool.name === 'string') {
    return {
      type: 'function',
      name: tool.name,
      ...(tool.description == null ? {} : { description: tool.description }),
      ...(tool.input_schema === undefined ? {} : { parameters: tool.input_schema }),
      ...(tool.strict == null ? {} : { isStrict: tool.strict }),
      ...readCacheMark(tool),
      ...optionsOf(tool, FUNCTION_FIELDS),
    };
  }
  return type.startsWith('web_search_')
    ? readWebSearch(tool)
    : { type: 'vendor', apiFormat: MESSAGES_FORMAT, value: tool };
}

function readWebSearch(tool: AnthropicTool): Tool {
  const maxUses = numberOf(tool['max_uses']);
  const allowedDomains = domainsOf(tool['allowed_domains']);
  const blockedDomains = domainsOf(tool['blocked_domains']);
  const given = documentOf(tool['user_location']);
  const location: Partial<Record<(typeof PLACES)[number], string>> = {};
  for (const place of PLACES) {
    const name = textOf(given[place]);
    if (name !== undefined) location[place] = name;
  }
  return {
    type: 'web-search',
    ...(maxUses === undefined ? {} : { maxUses }),
    ...(allowedDomains.length === 0 ? {} : { allowedDomains }),
    ...(blockedDomains.length === 0 ? {} : { blockedDomains }),
    ...(Object.keys(location).length === 0 ? {} : { location }),
    ...optionsOf(tool, SEARCH_FIELDS),
  };
}

const domainsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string');

export const readToolChoice = (choice: NonNullable<AnthropicRequest['tool_choice']>): ToolChoice =>
  readAnyToolChoice(choice) ?? { type: 'vendor', apiFormat: MESSAGES_FORMAT, value: choice };
