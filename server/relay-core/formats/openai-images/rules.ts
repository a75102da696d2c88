import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { imageTerms } from '../shared/fields/image-terms.js';
import { invalidRequest } from '../shared/fields/request-fields.js';
import type { ImageTask } from './id.js';

/** Most images of one call. */
export const MAX_IMAGES = 128;
/** Tokens of an image without a report: 0.0025 US dollars at ratio 1. */
const TOKENS_PER_IMAGE = 1_250;
const TOKENS_PER_PARTIAL = 100;
/** An image sent along, and one the model is to keep closely to. */
const TOKENS_PER_INPUT = 800;
const TOKENS_PER_CLOSE_INPUT = 6_500;

/** Members that decide size, quality and cost of images; an absent one was not requested. */
export interface ImageSettings {
  readonly task: ImageTask;
  readonly model: string;
  readonly prompt: string | undefined;
  readonly count: number | undefined;
  readonly size: string | undefined;
  readonly quality: string | undefined;
  readonly stream: boolean;
  readonly partialImages: number | undefined;
  /** Images sent along. */
  readonly inputs: number;
  readonly isCloseToInput: boolean;
  readonly promptTokens: number;
  /** The vendor shall think the prompt over. */
  readonly extendsPrompt: boolean;
}

/** Sizes a model makes; the vendor would refuse others after the call was paid for. */
const SIZES: Readonly<Record<string, ReadonlySet<string>>> = {
  'dall-e-2': new Set(['256x256', '512x512', '1024x1024']),
  'dall-e-3': new Set(['1024x1024', '1024x1792', '1792x1024']),
};

/** Factor of a size or quality on the price of an image. */
export interface ImageFactor {
  /** Its name in prices, logs and explanations. */
  readonly name: string;
  /** Exact decimal with at most two places. */
  readonly ratio: string;
}

/** The first that applies counts. */
interface FactorRule extends ImageFactor {
  readonly size?: string;
  readonly quality?: string;
}

/** Models not listed have none: an image of gpt-image costs its tokens, or where it has a price per call that price, whatever its size. */
const FACTORS: Readonly<Record<string, readonly FactorRule[]>> = {
  'dall-e-2': [
    { name: '256x256', size: '256x256', ratio: '0.4' },
    { name: '512x512', size: '512x512', ratio: '0.45' },
  ],
  'dall-e-3': [
    { name: 'hd 1024x1792', quality: 'hd', size: '1024x1792', ratio: '3' },
    { name: 'hd 1792x1024', quality: 'hd', size: '1792x1024', ratio: '3' },
    { name: 'hd', quality: 'hd', ratio: '2' },
    { name: '1024x1792', size: '1024x1792', ratio: '2' },
    { name: '1792x1024', size: '1792x1024', ratio: '2' },
  ],
};
/** Ali's z-image thinks the prompt over, for twice the price. */
const EXTENDED: ImageFactor = { name: 'prompt_extend', ratio: '2' };

/** Output tokens of one gpt-image image: square, other (platform.openai.com/docs/guides/image-generation, 2026-11-21). */
const IMAGE_TOKENS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['low', [272, 408]],
  ['medium', [1_056, 1_584]],
  ['high', [4_160, 6_240]],
]);

/** Models priced by tokens. */
const COUNTS_TOKENS = /gpt-image|chatgpt-image/;

const familyOf = (model: string): string | undefined =>
  model === 'dall-e' || model.startsWith('dall-e-2')
    ? 'dall-e-2'
    : model.startsWith('dall-e-3')
      ? 'dall-e-3'
      : undefined;

/** The stages' view of an image call. Fails: invalid-request. */
export function shapeOfImages(asked: ImageSettings): Result<CallShape, RelayError> {
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
    heldOutput: { tokens: tokensHeld(asked, factor?.ratio ?? '1'), kind: 'image' },
    ...(factor === undefined ? {} : { callFactor: factor.ratio, callFactorName: factor.name }),
    // Default of the vendor for an absent member.
    pictureTerms: imageTerms(
      size ?? (family === undefined ? undefined : '1024x1024'),
      asked.quality ?? (family === undefined ? undefined : 'standard'),
    ),
    asked: { quality: asked.quality, size },
  });
}

/** Price of an image of this size and quality, over the model's base price; undefined = that price itself. */
function factorOf(asked: ImageSettings, family: string | undefined): ImageFactor | undefined {
  if (asked.extendsPrompt && isZImage(asked.model)) return EXTENDED;
  return rulesOf(family).find(
    ({ size, quality }) =>
      (size === undefined || size === asked.size) && (quality === undefined || quality === asked.quality),
  );
}

const rulesOf = (family: string | undefined): readonly FactorRule[] =>
  family === undefined ? [] : (FACTORS[family] ?? []);

const isZImage = (model: string): boolean => model.startsWith('z-image');

/** All factors a model's price per image may be multiplied with. */
export function imageFactorsOf(model: string): readonly ImageFactor[] {
  if (isZImage(model)) return [EXTENDED];
  return rulesOf(familyOf(model)).map(({ name, ratio }) => ({ name, ratio }));
}

/** Tokens of one image without a report. @param factor  exact decimal with at most two places */
function tokensOfImage(factor: string): number {
  return Math.ceil((Math.round(Number(factor) * 100) * TOKENS_PER_IMAGE) / 100);
}

/**
 * Tokens of an image that was made, without a report.
 * @param quality  from the reply; undefined = it names none: then the requested one counts, the middle where that was left
 *                 to the vendor
 */
export function tokensOfMade(
  shape: Pick<CallShape, 'model' | 'callFactor' | 'asked'>,
  quality: string | undefined,
  size: string | undefined,
): number {
  if (!COUNTS_TOKENS.test(shape.model)) return tokensOfImage(shape.callFactor ?? '1');
  const [square, other] = IMAGE_TOKENS.get(quality ?? shape.asked?.quality ?? '') ?? [1_056, 1_584];
  const madeSize = size ?? shape.asked?.size ?? 'auto';
  return madeSize === 'auto' || madeSize === '1024x1024' ? square : other;
}

function tokensHeld(asked: ImageSettings, factor: string): number {
  if (!COUNTS_TOKENS.test(asked.model)) return tokensOfImage(factor);
  const [square, other] = IMAGE_TOKENS.get(asked.quality ?? '') ?? [4_160, 6_240];
  return (asked.size === '1024x1024' ? square : other) + TOKENS_PER_PARTIAL * (asked.partialImages ?? 0);
}
