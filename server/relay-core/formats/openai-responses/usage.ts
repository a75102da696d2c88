import { isTokenCount, isTokenCountOrNone, type Usage } from '../../model/usage.js';
import { documentOf, isDocument } from '../shared/fields/json-fields.js';
import { settleUsage } from '../shared/metering/reported-usage.js';

/**
 * Reads `response.usage`: totals include their parts unless `total_tokens` shows otherwise (see `settleUsage`).
 * @returns undefined when nothing was reported, 'invalid' when a figure cannot be true
 */
export function readUsage(value: unknown): Usage | 'invalid' | undefined {
  if (value === null || value === undefined) return undefined;
  if (!isDocument(value)) return 'invalid';
  const inputDetails = documentOf(value['input_tokens_details']);
  const outputDetails = documentOf(value['output_tokens_details']);
  const figures = {
    input: value['input_tokens'],
    output: value['output_tokens'],
    total: value['total_tokens'],
    cacheRead: inputDetails['cached_tokens'],
    cacheWrite: inputDetails['cache_write_tokens'],
    audioIn: inputDetails['audio_tokens'],
    imageIn: inputDetails['image_tokens'],
    reasoning: outputDetails['reasoning_tokens'],
    audioOut: outputDetails['audio_tokens'],
    imageOut: outputDetails['image_tokens'],
  };
  for (const figure of Object.values(figures)) if (!isTokenCountOrNone(figure)) return 'invalid';
  const counts = figures as { [Name in keyof typeof figures]: number | null | undefined };
  if (counts.input == null && counts.output == null) return undefined;
  const usage = settleUsage(counts);
  const tools = reportedUses(value['server_side_tool_usage_details']);
  return tools === undefined ? usage : { ...usage, tools };
}

/** Names of the counts in which xAI reports the tools it ran (https://docs.x.ai/docs/guides/tools, read 2026-11-28). */
const REPORTED_TOOLS: ReadonlyMap<string, string> = new Map([
  ['web_search_calls', 'web-search'],
  ['x_search_calls', 'x-search'],
  ['code_interpreter_calls', 'code-execution'],
  ['file_search_calls', 'file-search'],
  ['document_search_calls', 'file-search'],
  ['image_generation_calls', 'image-generation'],
]);
const COUNT = /^([a-z][a-z0-9_]{0,40})_calls$/;

/** Uses of tools by the vendor's own count, those of unknown tools under its names; undefined = the report has none. */
function reportedUses(details: unknown): Usage['tools'] {
  if (!isDocument(details)) return undefined;
  const tools: Record<string, number> = {};
  for (const [member, count] of Object.entries(details)) {
    const name = REPORTED_TOOLS.get(member) ?? COUNT.exec(member)?.[1]?.replaceAll('_', '-');
    if (name !== undefined && isTokenCount(count) && count > 0) tools[name] = (tools[name] ?? 0) + count;
  }
  return tools;
}

/** Neutral figures in this format's words. */
export function writeUsage(usage: Usage): Record<string, unknown> {
  const input = usage.input.total ?? 0;
  const output = usage.output.total ?? 0;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.input.cacheRead ?? 0,
      cache_write_tokens: usage.input.cacheWrite ?? 0,
      ...(usage.input.audio === undefined ? {} : { audio_tokens: usage.input.audio }),
      ...(usage.input.image === undefined ? {} : { image_tokens: usage.input.image }),
    },
    output_tokens: output,
    output_tokens_details: {
      reasoning_tokens: usage.output.reasoning ?? 0,
      ...(usage.output.audio === undefined ? {} : { audio_tokens: usage.output.audio }),
      ...(usage.output.image === undefined ? {} : { image_tokens: usage.output.image }),
    },
    total_tokens: input + output,
  };
}

/** Items that are uses of a tool the vendor ran itself, by neutral name. */
const TOOL_ITEMS: ReadonlyMap<string, string> = new Map([
  ['web_search_call', 'web-search'],
  ['file_search_call', 'file-search'],
  ['code_interpreter_call', 'code-execution'],
  ['image_generation_call', 'image-generation'],
]);

/** Counts uses of the vendor's own tools, one item at a time. */
export class ToolUses {
  private counts: Record<string, number> | undefined;
  private readonly containers = new Set<string>();

  /** @param container  id of the session in which the vendor ran a program: it charges for sessions, not for runs; empty = none */
  add(itemType: string, container = ''): void {
    const name = TOOL_ITEMS.get(itemType);
    if (name === undefined || this.containers.has(container)) return;
    if (container !== '') this.containers.add(container);
    this.counts ??= {};
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  get soFar(): Usage['tools'] {
    return this.counts;
  }

  /** The report with the uses seen so far, unless the vendor counted them itself. */
  addTo(usage: Usage): Usage {
    return this.counts === undefined || usage.tools !== undefined
      ? usage
      : { ...usage, tools: { ...this.counts } };
  }
}
