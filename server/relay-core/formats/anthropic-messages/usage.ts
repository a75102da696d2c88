import { isTokenCount, isTokenCountOrNone, type Usage } from '../../model/usage.js';
import { readServiceTier, part } from '../shared/metering/reported-usage.js';
import { documentOf, given, isDocument, listOf, type Document } from '../shared/fields/json-fields.js';

/**
 * Figures of a stream so far, member by member. `message_start` carries the input side, `message_delta` cumulative figures
 * that may repeat it: a later figure replaces an earlier one, nothing is ever added up (known trouble of gateways: one
 * reader sets, another adds).
 */
export class UsageReport {
  private members: Document | undefined;
  /** Input of the first report, where that has no cached tokens. */
  private wholeInput: unknown;

  /** @returns the figures so far; undefined = none yet, 'invalid' = one of them cannot be true */
  merge(report: unknown): Usage | 'invalid' | undefined {
    if (report === null || report === undefined) return this.read();
    if (!isDocument(report)) return 'invalid';
    const merged: Record<string, unknown> = { ...this.members };
    const keepsInput = this.members !== undefined && hasNoInput(report);
    for (const [name, value] of Object.entries(report)) {
      if (value === null || value === undefined) continue;
      // Hosts that fill every member in: a final report without any input does not take the first one back.
      if (keepsInput && INPUT_FIELDS.has(name)) continue;
      merged[name] = value;
    }
    if (this.members === undefined && !holdsCached(report)) this.wholeInput = report['input_tokens'];
    else if (report['input_tokens'] === this.wholeInput && holdsCached(report)) withoutCached(merged);
    if ('cache_creation_input_tokens' in report && !('cache_creation' in report) && !keepsInput) {
      merged['cache_creation'] = fittingSplit(merged);
    }
    this.members = merged;
    return this.read();
  }

  /** The same figures as they are charged: see `readUsage`. */
  charged(): Usage | 'invalid' | undefined {
    return this.members === undefined ? undefined : readUsage(this.members, { countsAdvisors: true });
  }

  /** Its `service_tier`, or `fast` where the vendor's fast mode served the call. */
  serviceTier(): string | undefined {
    return this.members?.['speed'] === 'fast' ? 'fast' : readServiceTier(this.members?.['service_tier']);
  }

  private read(): Usage | 'invalid' | undefined {
    return this.members === undefined ? undefined : readUsage(this.members);
  }
}

const INPUT_FIELDS: ReadonlySet<string> = new Set([
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'cache_creation',
]);

const cachedIn = (report: Document): number =>
  countOf(report['cache_read_input_tokens']) + countOf(report['cache_creation_input_tokens']);
const holdsCached = (report: Document): boolean => cachedIn(report) > 0;

/**
 * A later report with cached tokens, and the very input of a first one without: it is the whole prompt (Kimi), where Anthropic counts the
 * cached tokens beside it. https://github.com/maximhq/bifrost/issues/5510 (read 2026-11-30).
 */
function withoutCached(merged: Record<string, unknown>): void {
  const cached = cachedIn(merged);
  const input = merged['input_tokens'];
  if (isTokenCount(input) && typeof input === 'number' && cached <= input)
    merged['input_tokens'] = input - cached;
}

const hasNoInput = (report: Document): boolean =>
  [report['input_tokens'], report['cache_read_input_tokens'], report['cache_creation_input_tokens']].every(
    (value) => value === null || value === undefined || value === 0,
  );

/** The split of an earlier report, as long as it is no larger than the whole of this one. */
function fittingSplit(members: Document): unknown {
  const split = documentOf(members['cache_creation']);
  const sum = countOf(split['ephemeral_5m_input_tokens']) + countOf(split['ephemeral_1h_input_tokens']);
  return sum <= countOf(members['cache_creation_input_tokens']) ? members['cache_creation'] : undefined;
}

/**
 * A usage object in neutral words. The vendor counts cached tokens beside
 * `input_tokens`; ours are part of the total. A cache write the split does not cover counts as the five-minute kind.
 * With `iterations` (compaction), the model's own iterations are summed, because the top level leaves some out; unless a
 * fallback model served the turn, whose figures the top level has.
 * @param countsAdvisors  tokens of advising models are counted too: for what is charged, not for what is shown
 * @returns undefined when nothing was reported, 'invalid' when a figure cannot be true
 */
export function readUsage(
  value: unknown,
  { countsAdvisors = false }: { readonly countsAdvisors?: boolean } = {},
): Usage | 'invalid' | undefined {
  if (value === null || value === undefined) return undefined;
  if (!isDocument(value)) return 'invalid';
  const split = documentOf(value['cache_creation']);
  const details = documentOf(value['output_tokens_details']);
  const figures = {
    input: value['input_tokens'],
    output: value['output_tokens'],
    cacheRead: value['cache_read_input_tokens'],
    cacheWrite: value['cache_creation_input_tokens'],
    cacheWrite5m: split['ephemeral_5m_input_tokens'],
    cacheWrite1h: split['ephemeral_1h_input_tokens'],
    reasoning: details['thinking_tokens'],
  };
  for (const figure of Object.values(figures)) if (!isTokenCountOrNone(figure)) return 'invalid';
  if (figures.input == null && figures.output == null) return undefined;
  const cacheWrite1h = countOf(figures.cacheWrite1h);
  const top = {
    input: countOf(figures.input),
    output: countOf(figures.output),
    cacheRead: countOf(figures.cacheRead),
    cacheWrite: Math.max(countOf(figures.cacheWrite), countOf(figures.cacheWrite5m) + cacheWrite1h),
  };
  const sums = sumIterations(value['iterations'], top, countsAdvisors);
  if (sums === 'invalid') return 'invalid';
  const thoughts = countOf(figures.reasoning);
  const isCut = figures.output != null && thoughts > sums.output;
  const reasoning = isCut ? sums.output : thoughts;
  const tools = readToolUses(value['server_tool_use']);
  if (tools === 'invalid') return 'invalid';
  return {
    input: {
      total: figures.input == null ? undefined : sums.input + sums.cacheRead + sums.cacheWrite,
      ...part('cacheRead', sums.cacheRead),
      ...part('cacheWrite', sums.cacheWrite),
      ...part('cacheWrite1h', cacheWrite1h),
    },
    output: { total: figures.output == null ? undefined : sums.output, ...part('reasoning', reasoning) },
    ...(tools === undefined ? {} : { tools }),
    ...(isCut ? { reading: 'parts-cut' as const } : {}),
  };
}

interface Sums {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

function sumIterations(value: unknown, top: Sums, countsAdvisors: boolean): Sums | 'invalid' {
  const iterations = listOf(value).map(documentOf);
  const own = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const advice = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  let hasOwn = false;
  let isServedByFallback = false;
  for (const iteration of iterations) {
    const { type } = iteration;
    if (type === 'fallback_message') isServedByFallback = true;
    const isOwn = type === 'message' || type === 'compaction';
    if (!isOwn && type !== 'advisor_message') continue;
    hasOwn ||= isOwn;
    const sums = isOwn ? own : advice;
    for (const [name, member] of ITERATION_FIELDS) {
      if (!isTokenCountOrNone(iteration[member])) return 'invalid';
      sums[name] += countOf(iteration[member]);
    }
  }
  const base =
    hasOwn && !isServedByFallback
      ? {
          input: own.input,
          output: own.output,
          cacheRead: Math.max(top.cacheRead, own.cacheRead),
          cacheWrite: Math.max(top.cacheWrite, own.cacheWrite),
        }
      : top;
  if (!countsAdvisors) return base;
  return {
    input: base.input + advice.input,
    output: base.output + advice.output,
    cacheRead: base.cacheRead + advice.cacheRead,
    cacheWrite: base.cacheWrite + advice.cacheWrite,
  };
}

const ITERATION_FIELDS = [
  ['input', 'input_tokens'],
  ['output', 'output_tokens'],
  ['cacheRead', 'cache_read_input_tokens'],
  ['cacheWrite', 'cache_creation_input_tokens'],
] as const;

/** Uses of the vendor's own tools that are billed by the piece. */
const TOOL_NAMES: ReadonlyMap<string, string> = new Map([
  ['web_search_requests', 'web-search'],
  ['web_fetch_requests', 'web-fetch'],
  ['code_execution_requests', 'code-execution'],
]);

function readToolUses(value: unknown): Readonly<Record<string, number>> | 'invalid' | undefined {
  let tools: Record<string, number> | undefined;
  for (const [member, count] of Object.entries(documentOf(value))) {
    const name = TOOL_NAMES.get(member);
    if (name === undefined) continue;
    if (!isTokenCountOrNone(count)) return 'invalid';
    if (countOf(count) === 0) continue;
    tools ??= {};
    tools[name] = countOf(count);
  }
  return tools;
}

/** Neutral figures in this format's members: cached tokens are taken out of the input again, so that they count once. */
export function writeUsage(usage: Usage | undefined): Record<string, unknown> {
  const input = usage?.input;
  const cacheRead = input?.cacheRead ?? 0;
  const cacheWrite = input?.cacheWrite ?? 0;
  const cacheWrite1h = Math.min(input?.cacheWrite1h ?? 0, cacheWrite);
  const reasoning = usage?.output.reasoning;
  const tools = writeToolUses(usage?.tools);
  return {
    input_tokens: Math.max(0, (input?.total ?? 0) - cacheRead - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWrite - cacheWrite1h,
      ephemeral_1h_input_tokens: cacheWrite1h,
    },
    output_tokens: usage?.output.total ?? 0,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
    ...given('server_tool_use', tools),
  };
}

/** Usage for the end of a stream, with the split of cache writes only where some last an hour, as in recorded streams. */
export function writeFinalUsage(usage: Usage | undefined): Record<string, unknown> {
  const { cache_creation: split, ...rest } = writeUsage(usage);
  return (usage?.input.cacheWrite1h ?? 0) > 0 ? { ...rest, cache_creation: split } : rest;
}

function writeToolUses(uses: Usage['tools']): Readonly<Record<string, number>> | undefined {
  let tools: Record<string, number> | undefined;
  for (const [member, name] of TOOL_NAMES) {
    const count = uses?.[name];
    if (count === undefined) continue;
    tools ??= { web_search_requests: 0, web_fetch_requests: 0 };
    tools[member] = count;
  }
  return tools;
}

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
