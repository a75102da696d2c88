import type { Usage } from '../../relay-core/model/usage.js';

/**
 * Parts a token can be charged as, with the total each belongs to, in the order charges are added up. The compiler,
 * every-usage-part.spec.ts and test/drift/usage-parts.e2e-spec.ts find the other places that must list a part.
 */
export const TOTAL_OF_PART = {
  textInput: 'input',
  cacheRead: 'input',
  /** Cache writes but for those kept for an hour. */
  cacheWrite: 'input',
  cacheWrite1h: 'input',
  imageInput: 'input',
  audioInput: 'input',
  /** Includes reasoning that has no price of its own. */
  textOutput: 'output',
  reasoningOutput: 'output',
  audioOutput: 'output',
  imageOutput: 'output',
} as const satisfies Readonly<Record<string, 'input' | 'output'>>;

export type UsagePart = keyof typeof TOTAL_OF_PART;

export const USAGE_PARTS = Object.keys(TOTAL_OF_PART) as readonly UsagePart[];

/** A usage as disjoint parts: every token is in exactly one of them, so no token is priced twice. */
export type UsageParts = Readonly<Record<UsagePart, number>>;

/** More tokens than any model can take or give: a larger figure is a lie and counts as this much. */
export const MAX_TOKENS_PER_FIGURE = 1_000_000_000;

/** A count an upstream reported: negative, fractional and absurd figures are brought into range; unknown counts as 0. */
function countOf(value: number | undefined): number {
  if (value === undefined || !(value > 0)) return 0;
  return value >= MAX_TOKENS_PER_FIGURE ? MAX_TOKENS_PER_FIGURE : Math.trunc(value);
}

/**
 * Splits a usage into its disjoint parts. Parts never exceed their total: details that claim more are cut, in the order
 * cache read, cache write, audio, image, reasoning. An unknown total is the sum of the details.
 */
export function splitUsage(usage: Usage, hasReasoningPrice = false): UsageParts {
  const { input, output } = usage;
  const total =
    input.total === undefined
      ? countOf(input.cacheRead) + countOf(input.cacheWrite) + countOf(input.audio) + countOf(input.image)
      : countOf(input.total);
  const cacheRead = Math.min(countOf(input.cacheRead), total);
  // A part larger than its total raises the total: of the two readings of an inconsistent report the more expensive one counts.
  const writes = Math.min(
    Math.max(countOf(input.cacheWrite), countOf(input.cacheWrite1h)),
    total - cacheRead,
  );
  const cacheWrite1h = Math.min(countOf(input.cacheWrite1h), writes);
  const audioInput = Math.min(countOf(input.audio), total - cacheRead - writes);
  const imageInput = Math.min(countOf(input.image), total - cacheRead - writes - audioInput);
  const textInput = total - cacheRead - writes - audioInput - imageInput;
  const outputTotal =
    output.total === undefined
      ? countOf(output.audio) + countOf(output.image) + countOf(output.reasoning)
      : countOf(output.total);
  const audioOutput = Math.min(countOf(output.audio), outputTotal);
  const imageOutput = Math.min(countOf(output.image), outputTotal - audioOutput);
  const reasoningOutput = !hasReasoningPrice
    ? 0
    : Math.min(countOf(output.reasoning), outputTotal - audioOutput - imageOutput);
  return {
    textInput,
    cacheRead,
    cacheWrite: writes - cacheWrite1h,
    cacheWrite1h,
    imageInput,
    audioInput,
    textOutput: outputTotal - audioOutput - imageOutput - reasoningOutput,
    reasoningOutput,
    audioOutput,
    imageOutput,
  };
}

/** True when the upstream said that nothing was used; "did not say" is not nothing. */
export function isKnownEmpty(usage: Usage): boolean {
  return (
    countOf(usage.input.total) === 0 &&
    countOf(usage.output.total) === 0 &&
    usage.input.total !== undefined &&
    usage.output.total !== undefined
  );
}

/** Input tokens of a call, whatever they are: what prices by length go by. */
export const inputLength = (parts: UsageParts): number =>
  parts.textInput +
  parts.cacheRead +
  parts.cacheWrite +
  parts.cacheWrite1h +
  parts.imageInput +
  parts.audioInput;

/** More uses of a tool than any answer makes: a larger figure is a lie and counts as this much. */
const MAX_TOOL_USES = 128;

const NO_TOOLS: readonly (readonly [name: string, count: number])[] = [];

/** Uses of the vendor's tools a call pays for, by name; those that every answer of the model makes at least once included. */
export function toolUses(
  usage: Usage,
  eachCall: readonly string[] | undefined,
): readonly (readonly [name: string, count: number])[] {
  if (usage.tools === undefined && eachCall === undefined) return NO_TOOLS;
  const uses = new Map<string, number>();
  for (const [name, count] of Object.entries(usage.tools ?? {})) {
    const counted = Math.min(countOf(count), MAX_TOOL_USES);
    if (counted > 0) uses.set(name, counted);
  }
  if (eachCall !== undefined && !isKnownEmpty(usage))
    for (const name of eachCall) if (!uses.has(name)) uses.set(name, 1);
  return [...uses];
}
