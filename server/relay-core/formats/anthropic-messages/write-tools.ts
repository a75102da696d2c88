import type { CacheMark } from '../../model/content.js';
import type { Tool, ToolChoice } from '../../model/tool.js';
import type { Warning } from '../../model/warning.js';
import { isDocument } from '../shared/fields/json-fields.js';
import { claudeSchema } from '../shared/fields/claude-schema.js';
import { toolSchema } from '../shared/fields/tool-schema.js';
import { CLAUDE_ROOTS } from '../shared/fields/tool-roots.js';
import { MESSAGES_FORMAT } from './id.js';
import type { ModelRules } from './model-rules.js';
import { BLOCK_AS_SENT } from './read-blocks.js';
import { otherFormatValue } from '../shared/fields/dropped-fields.js';

/** Uses of a search by how much the caller wants read. */
const USES_BY_SIZE: ReadonlyMap<string, number> = new Map([
  ['low', 1],
  ['medium', 5],
  ['high', 10],
]);

export function writeTools(
  tools: readonly Tool[],
  rules: ModelRules,
  warnings: Warning[],
): Record<string, unknown>[] {
  const written: Record<string, unknown>[] = [];
  for (const tool of tools) {
    if (tool.type === 'function') written.push(writeFunction(tool, rules, warnings));
    else if (tool.type === 'web-search') written.push(writeWebSearch(tool));
    else if (tool.apiFormat === MESSAGES_FORMAT && isDocument(tool.value)) written.push({ ...tool.value });
    else warnings.push(otherFormatValue('tools', 'tool', tool));
  }
  return written;
}

function writeFunction(
  tool: Extract<Tool, { type: 'function' }>,
  rules: ModelRules,
  warnings: Warning[],
): Record<string, unknown> {
  const { [BLOCK_AS_SENT]: asSent, ...own } = tool.vendorOptions?.[MESSAGES_FORMAT] ?? {};
  if (isDocument(asSent)) return { ...asSent, name: tool.name };
  const written: Record<string, unknown> = { ...own, name: tool.name };
  if (tool.description !== undefined && tool.description !== '') written['description'] = tool.description;
  written['input_schema'] = toolSchema(tool.parameters, CLAUDE_ROOTS, warnings);
  if (tool.isStrict === true) {
    if (rules.hasStructuredOutput) {
      // The decoder that holds answers to a schema holds calls to theirs.
      written['input_schema'] = claudeSchema(written['input_schema']);
      written['strict'] = true;
    } else
      warnings.push({ setting: 'tools', reason: 'this model does not hold tools to their schema strictly' });
  }
  if (tool.cache !== undefined) written['cache_control'] = writeCache(tool.cache);
  return written;
}

function writeWebSearch(tool: Extract<Tool, { type: 'web-search' }>): Record<string, unknown> {
  const own = tool.vendorOptions?.[MESSAGES_FORMAT];
  const maxUses = tool.maxUses ?? USES_BY_SIZE.get(tool.contextSize ?? '');
  const { location } = tool;
  return {
    type: 'web_search_20250305',
    name: 'web_search',
    ...own,
    ...(maxUses === undefined ? {} : { max_uses: maxUses }),
    ...(tool.allowedDomains === undefined ? {} : { allowed_domains: tool.allowedDomains }),
    ...(tool.blockedDomains === undefined ? {} : { blocked_domains: tool.blockedDomains }),
    ...(location === undefined ? {} : { user_location: { type: 'approximate', ...location } }),
  };
}

export const writeCache = ({ ttl }: CacheMark): Record<string, unknown> =>
  ttl === undefined ? { type: 'ephemeral' } : { type: 'ephemeral', ttl };

/** Tool choice of the caller; undefined = the vendor's default. */
export function writeToolChoice(
  choice: ToolChoice | undefined,
  parallel: boolean | undefined,
  rules: ModelRules,
  warnings: Warning[],
): Record<string, unknown> | undefined {
  const chosen = chosenOf(choice, rules, warnings);
  if (parallel !== false || chosen?.['type'] === 'none') return chosen;
  return { type: 'auto', ...chosen, disable_parallel_tool_use: true };
}

function chosenOf(
  choice: ToolChoice | undefined,
  rules: ModelRules,
  warnings: Warning[],
): Record<string, unknown> | undefined {
  switch (choice?.type) {
    case undefined:
      return undefined;
    case 'auto':
    case 'none':
      return { type: choice.type };
    case 'required':
    case 'named':
      if (!rules.takesForcedTools) {
        warnings.push({ setting: 'tool_choice', reason: 'this model cannot be made to call a tool' });
        return { type: 'auto' };
      }
      return choice.type === 'named' ? { type: 'tool', name: choice.name } : { type: 'any' };
    case 'vendor':
      if (choice.apiFormat === MESSAGES_FORMAT && isDocument(choice.value)) return { ...choice.value };
      warnings.push(otherFormatValue('tool_choice', 'choice', choice));
      return undefined;
  }
}
