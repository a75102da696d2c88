import { getOrAdd } from '../../../common/get-or-add.js';
import { SMALL_MEDIA_TOKENS } from '../../model/report-bound.js';
import type { Usage } from '../../model/usage.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';
import type { RequestFacts } from './bound-usage.js';
import { mayRunTools, referencedInputTokens } from './referenced-input.js';

/** A report whose parts have a reason in the request or in the answer. */
export interface BoundedParts {
  readonly usage: Usage;
  /** Figures that were reduced, in words of the log line; empty = none. */
  readonly excess: readonly string[];
}

type Answer = Pick<ReplyMeter, 'produced' | 'hasUnread' | 'toolUses'>;

const NONE: readonly string[] = Object.freeze([]);
/** More uses of one tool than any vendor makes in one call. */
const MAX_TOOL_USES = 1_000;
/** Tools of the caller's own are no sounds or images. */
const PER_OWN_TOOL = 0;
/** Names of members that ask for sound or images, in any client API, or the ends of such names. */
const ASKS_FOR_MEDIA = ['"audio"', 'odalities"', 'speechConfig"', 'speech_config"'].map((name) =>
  Buffer.from(name),
);
const FORM_START = '--';
/** Models that search for every answer. */
const SEARCHING = /sonar|search/i;

/**
 * Reduces the parts of a report that cost more than text to what the request or the answer gives a reason for: tokens of sound and
 * images above 1,000 become text where none was sent, asked for or delivered; uses of a tool that the vendor was not given are dropped, and those
 * above a limit in the request become that limit. Totals stay as they are (bound-usage.ts).
 */
export function boundParts(usage: Usage, answer: Answer, request: RequestFacts): BoundedParts {
  const { input, output, tools } = usage;
  const isInputReduced = hasMedia(input) && !mayReadMedia(request);
  const isOutputReduced =
    (isLarge(output.audio) && !mayBeSound(answer, request)) ||
    (isLarge(output.image) && !mayBeImage(answer, request));
  const believedUses = boundUses(tools, answer.toolUses, request);
  if (!isInputReduced && !isOutputReduced && believedUses === tools) return { usage, excess: NONE };
  const { tools: _all, ...rest } = usage;
  return {
    usage: {
      ...rest,
      ...(isInputReduced ? { input: withoutMedia(input) } : {}),
      ...(isOutputReduced ? { output: believedOutput(output, answer, request) } : {}),
      ...(believedUses === undefined ? {} : { tools: believedUses }),
    },
    excess: [
      ...(isInputReduced || isOutputReduced ? ['sound or images'] : []),
      ...(believedUses === tools ? [] : ['uses of tools']),
    ],
  };
}

/**
 * Uses of tools to charge: none of a tool the request does not give the vendor; up to 2 × the request's limit + 2 as reported, above it the
 * limit; without a limit up to 1,000, above it the uses that came, at least one.
 * @returns the same object where nothing is reduced
 */
export function boundUses(uses: Usage['tools'], came: Usage['tools'], request: RequestFacts): Usage['tools'] {
  if (uses === undefined) return undefined;
  const believed: Record<string, number> = {};
  let isReduced = false;
  for (const [name, count] of Object.entries(uses)) {
    const tokens = believedUsesOf(name, count, came?.[name] ?? 0, request);
    isReduced ||= tokens !== count;
    if (tokens > 0) believed[name] = tokens;
  }
  if (!isReduced) return uses;
  return Object.keys(believed).length === 0 ? undefined : believed;
}

function believedUsesOf(name: string, count: number, came: number, request: RequestFacts): number {
  const tool = request.shape.vendorTools?.find((candidate) => candidate.name === name);
  const limit = tool?.mostUses;
  // Vendors count a use they refused above the limit, and some tools have a usual number in place of a limit.
  if (limit !== undefined) return count <= 2 * limit + 2 ? count : Math.max(1, limit);
  if (tool === undefined && !mayUseUnnamedTools(request)) return 0;
  return count <= MAX_TOOL_USES ? count : Math.max(1, Math.min(came, MAX_TOOL_USES));
}

/** Facts of a request's bytes, each read once: reports may change with every event. */
interface BodyFacts {
  mayReadMedia?: boolean;
  asksForMedia?: boolean;
  mayRunTools?: boolean;
}

const bodies = new WeakMap<Buffer, BodyFacts>();

function isSo(body: Buffer, fact: keyof BodyFacts, read: (body: Buffer) => boolean): boolean {
  const facts = getOrAdd(bodies, body, (): BodyFacts => ({}));
  return (facts[fact] ??= read(body));
}

const mayUseUnnamedTools = ({ route, readsMore, shape, requestBody }: RequestFacts): boolean =>
  readsMore ||
  route.paramOverride !== undefined ||
  SEARCHING.test(route.upstreamModel) ||
  SEARCHING.test(shape.model) ||
  isSo(requestBody, 'mayRunTools', mayRunTools);

const isLarge = (tokens: number | undefined): boolean => tokens !== undefined && tokens > SMALL_MEDIA_TOKENS;

const hasMedia = ({ audio, image }: Usage['input']): boolean => isLarge(audio) || isLarge(image);

const mayReadMedia = ({ route, readsMore, requestBody }: RequestFacts): boolean =>
  readsMore || route.paramOverride !== undefined || isSo(requestBody, 'mayReadMedia', namesMedia);

/** Forms hold files. */
const namesMedia = (body: Buffer): boolean =>
  body.toString('latin1', 0, FORM_START.length) === FORM_START ||
  referencedInputTokens(body, PER_OWN_TOOL) > 0;

const mayBeSound = ({ produced }: Answer, request: RequestFacts): boolean =>
  produced.media.audio !== undefined || request.shape.heldOutput?.kind === 'audio' || asksForMedia(request);

/** Models of images deliver them unasked, some in members that are not counted here. */
const mayBeImage = ({ produced, hasUnread }: Answer, request: RequestFacts): boolean =>
  produced.media.image !== undefined ||
  hasUnread ||
  request.shape.heldOutput?.kind === 'image' ||
  asksForMedia(request);

const asksForMedia = ({ route, requestBody }: RequestFacts): boolean =>
  route.paramOverride !== undefined ||
  isSo(requestBody, 'asksForMedia', (body) => ASKS_FOR_MEDIA.some((name) => body.includes(name)));

function withoutMedia({ audio: _audio, image: _image, ...text }: Usage['input']): Usage['input'] {
  return text;
}

function believedOutput(
  { audio, image, ...text }: Usage['output'],
  answer: Answer,
  request: RequestFacts,
): Usage['output'] {
  return {
    ...text,
    ...(audio !== undefined && mayBeSound(answer, request) ? { audio } : {}),
    ...(image !== undefined && mayBeImage(answer, request) ? { image } : {}),
  };
}
