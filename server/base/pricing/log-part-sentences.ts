import { formatRatio } from '../../common/ratio.js';
import type { FinishedCall } from '../../relay-core/model/call.js';
import { partRatios, type RatioPrices, tierOf } from './price-parts.js';
import { inputLength, splitUsage, TOTAL_OF_PART, type UsagePart } from './usage-parts.js';

type NamedPart = Exclude<UsagePart, 'textInput' | 'textOutput'>;

/** Parts of a usage that may cost something else than the plain text of the total they belong to. */
export const PART_NAMES: Readonly<Record<NamedPart, string>> = {
  cacheRead: 'cache read',
  cacheWrite: 'cache write',
  cacheWrite1h: 'one-hour cache write',
  imageInput: 'picture input',
  audioInput: 'sound input',
  reasoningOutput: 'reasoning',
  audioOutput: 'sound output',
  imageOutput: 'picture output',
};

const PLAIN = { input: 'textInput', output: 'textOutput' } as const;

const NAMED_PARTS = (Object.keys(PART_NAMES) as NamedPart[]).map(
  (part): readonly [NamedPart, name: string, base: 'textInput' | 'textOutput'] => [
    part,
    PART_NAMES[part],
    PLAIN[TOTAL_OF_PART[part]],
  ],
);

/**
 * Parts of a call priced otherwise than plain input and output, so that a log line can be recomputed to its charge: tokens of each
 * such part with their ratio to the model's, and the factors of long calls.
 */
export function writePartSentences({
  usage,
  snapshot,
}: Pick<FinishedCall, 'usage' | 'snapshot'>): readonly string[] {
  if (snapshot.mode === 'call') return [];
  const parts = splitUsage(usage, snapshot.reasoningRatio !== undefined);
  const sentences: string[] = [];
  // Most calls are plain text alone.
  for (const [part, name, base] of NAMED_PARTS) {
    if (parts[part] === 0) continue;
    const ratios = partRatios(snapshot);
    const ratio = formatRatio(ratios[part]);
    if (ratio !== formatRatio(ratios[base]))
      sentences.push(`${name} ${parts[part]} tokens at ratio ${ratio}`);
  }
  const long = lengthSentence(snapshot, inputLength(parts));
  if (long !== undefined) sentences.push(long);
  return sentences;
}

function lengthSentence(snapshot: RatioPrices, length: number): string | undefined {
  const tier = tierOf(snapshot, length);
  if (tier === undefined) return undefined;
  const factors = [
    `input × ${tier.input}`,
    `output × ${tier.output}`,
    ...(tier.cacheRead === undefined ? [] : [`cache read × ${tier.cacheRead}`]),
    ...(tier.cacheWrite === undefined ? [] : [`cache write × ${tier.cacheWrite}`]),
  ];
  return `above ${tier.above} input tokens: ${factors.join(', ')}`;
}
