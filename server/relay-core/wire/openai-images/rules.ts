import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { invalidRequest } from '../request-fields.js';
import type { ImageTask } from './id.js';

/** Most pictures of one call (relay reference 1.1). */
export const MAX_PICTURES = 128;
/** Tokens that stand for a picture without a report: 0.0025 US dollars at ratio 1 (relay reference 4.10). */
export const TOKENS_PER_PICTURE = 1_250;
const TOKENS_PER_PARTIAL = 100;
/** A picture sent along, and one the model is to keep closely to. */
const TOKENS_PER_INPUT = 800;
const TOKENS_PER_CLOSE_INPUT = 6_500;

/** What decides size, quality and cost of pictures; what is absent was not asked for. */
export interface PictureSettings {
  readonly task: ImageTask;
  readonly model: string;
  readonly prompt: string | undefined;
  readonly count: number | undefined;
  readonly size: string | undefined;
  readonly quality: string | undefined;
  readonly stream: boolean;
  readonly partialImages: number | undefined;
  /** Pictures sent along. */
  readonly inputs: number;
  readonly isCloseToInput: boolean;
  readonly promptTokens: number;
  /** Ali's z-image thinks the prompt over, for twice the price (provider reference 10.3). */
  readonly extendsPrompt: boolean;
}

/** Sizes a model makes; the vendor would refuse others after the call was paid for. */
const SIZES: Readonly<Record<string, ReadonlySet<string>>> = {
  'dall-e-2': new Set(['256x256', '512x512', '1024x1024']),
  'dall-e-3': new Set(['1024x1024', '1024x1792', '1792x1024']),
};
const LARGE: ReadonlySet<string> = new Set(['1024x1792', '1792x1024']);
const SMALL: ReadonlyMap<string, string> = new Map([
  ['256x256', '0.4'],
  ['512x512', '0.45'],
]);

/** Output tokens of one gpt-image picture: square, other (platform.openai.com/docs/guides/image-generation, 2026-11-21). */
const IMAGE_TOKENS: Readonly<Record<string, readonly [number, number]>> = {
  low: [272, 408],
  medium: [1_056, 1_584],
  high: [4_160, 6_240],
};

/** Models priced by tokens. */
const COUNTS_TOKENS = /gpt-image|chatgpt-image/;

const familyOf = (model: string): string | undefined =>
  model === 'dall-e' || model.startsWith('dall-e-2')
    ? 'dall-e-2'
    : model.startsWith('dall-e-3')
      ? 'dall-e-3'
      : undefined;

/** The rooms' view of a picture call. Fails: invalid-request (relay reference 1.6). */
export function shapeOfPictures(asked: PictureSettings): Result<CallShape, RelayError> {
  const { task, model, size, stream } = asked;
  const count = asked.count ?? 1;
  if (task !== 'vary' && asked.prompt === undefined)
    return invalidRequest("Missing required parameter: 'prompt'.", 'prompt');
  if (task !== 'generate' && asked.inputs === 0)
    return invalidRequest("Missing required parameter: 'image'.", 'image');
  if (size?.includes('×') === true)
    return invalidRequest("Invalid 'size': write it with the letter x, such as 1024x1024.", 'size');
  const family = familyOf(model);
  const sizes = family === undefined ? undefined : SIZES[family];
  if (size !== undefined && sizes !== undefined && !sizes.has(size))
    return invalidRequest(`Invalid 'size' for ${model}: it must be one of ${[...sizes].join(', ')}.`, 'size');
  if (family === 'dall-e-3' && count !== 1)
    return invalidRequest("Invalid 'n' for dall-e-3: it makes one picture per call.", 'n');
  const factor = factorOf(asked, family);
  return ok({
    operation: 'image',
    task,
    model,
    stream,
    outputCap: undefined,
    choices: count,
    promptTokens:
      asked.promptTokens + asked.inputs * (asked.isCloseToInput ? TOKENS_PER_CLOSE_INPUT : TOKENS_PER_INPUT),
    wantsStreamUsage: false,
    heldOutput: { tokens: tokensHeld(asked, factor), kind: 'image' },
    ...(factor === '1' ? {} : { callFactor: factor }),
  });
}

/** Price of a picture of this size and quality, over the model's base price (relay reference 4.10). */
function factorOf(asked: PictureSettings, family: string | undefined): string {
  const size = asked.size ?? '';
  if (asked.extendsPrompt && asked.model.startsWith('z-image')) return '2';
  if (family === undefined) return '1';
  const isLarge = LARGE.has(size);
  if (family === 'dall-e-3' && asked.quality === 'hd') return isLarge ? '3' : '2';
  return isLarge ? '2' : (SMALL.get(size) ?? '1');
}

/** Tokens of one picture without a report. @param factor  exact decimal with at most two places */
export function tokensOfPicture(factor: string): number {
  return Math.ceil((Math.round(Number(factor) * 100) * TOKENS_PER_PICTURE) / 100);
}

/**
 * Tokens of a picture that was made, without a report.
 * @param quality  as the reply tells it; undefined = it does not, and the middle is assumed
 */
export function tokensOfMade(
  shape: Pick<CallShape, 'model' | 'callFactor'>,
  quality: string | undefined,
  size: string | undefined,
): number {
  if (!COUNTS_TOKENS.test(shape.model)) return tokensOfPicture(shape.callFactor ?? '1');
  const [square, other] = IMAGE_TOKENS[quality ?? ''] ?? [1_056, 1_584];
  return size === undefined || size === '1024x1024' ? square : other;
}

function tokensHeld(asked: PictureSettings, factor: string): number {
  if (!COUNTS_TOKENS.test(asked.model)) return tokensOfPicture(factor);
  const [square, other] = IMAGE_TOKENS[asked.quality ?? ''] ?? [4_160, 6_240];
  return (asked.size === '1024x1024' ? square : other) + TOKENS_PER_PARTIAL * (asked.partialImages ?? 0);
}
