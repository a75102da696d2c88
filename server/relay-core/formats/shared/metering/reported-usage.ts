import type { Usage } from '../../../model/usage.js';
import { AudioLength, tokensOfRawAudio } from '../audio/audio-length.js';
import type { ProducedText } from '../../contract/produced-text.js';
import { readField, type ScannedObject } from '../../../framing/json-splice.js';
import { isTokenCount } from '../../../model/usage.js';
import { documentOf, isDocument, type Document } from '../fields/json-fields.js';

/**
 * Usage of vendors that report one figure for what went in and one for what came out.
 * @returns undefined when nothing was reported, 'invalid' when a figure cannot be true
 */
export function readCounts(
  value: unknown,
  inputName: string,
  outputName: string,
): Usage | 'invalid' | undefined {
  if (!isDocument(value)) return value === null || value === undefined ? undefined : 'invalid';
  const input = value[inputName];
  const output = value[outputName];
  if (input === undefined && output === undefined) return undefined;
  if (!isTokenCount(input ?? 0) || !isTokenCount(output ?? 0)) return 'invalid';
  return { input: { total: (input ?? 0) as number }, output: { total: (output ?? 0) as number } };
}

/** Vendors' per-chunk reports: a later one replaces an earlier one, unless all its figures are zero. */
export function laterUsage(earlier: Usage | undefined, later: Usage): Usage {
  if (earlier === undefined) return later;
  const saysNothing = (later.input.total ?? 0) === 0 && (later.output.total ?? 0) === 0;
  return saysNothing ? earlier : later;
}

/** A part of a figure, when there is something of it. */
export const part = <Name extends string>(name: Name, value: number | null | undefined) =>
  value ? ({ [name]: value } as { readonly [K in Name]: number }) : {};

type Details = readonly (readonly [(keyof Usage['input'] & keyof Usage['output']) | 'cacheRead', string])[];

const INPUT_DETAILS: Details = [
  ['cacheRead', 'cached_tokens'],
  ['audio', 'audio_tokens'],
  ['image', 'image_tokens'],
];
const OUTPUT_DETAILS: Details = [
  ['audio', 'audio_tokens'],
  ['image', 'image_tokens'],
];

/**
 * Token usage as OpenAI's media models and realtime sessions report it: `input_tokens`, `output_tokens`, and their
 * details under `input_token_details` or `input_tokens_details`. Cached sound is counted as cached, not as sound.
 * @returns undefined when no tokens were reported, 'invalid' when a figure cannot be true
 */
export function readTokenUsage(value: unknown): Usage | 'invalid' | undefined {
  if (value === null || value === undefined) return undefined;
  if (!isDocument(value)) return 'invalid';
  const input = value['input_tokens'];
  const output = value['output_tokens'];
  if ((input === undefined || input === null) && (output === undefined || output === null)) return undefined;
  const inputDetails = documentOf(value['input_token_details'] ?? value['input_tokens_details']);
  const outputDetails = documentOf(value['output_token_details'] ?? value['output_tokens_details']);
  const cached = documentOf(inputDetails['cached_tokens_details']);
  const inputParts = partsOf(inputDetails, INPUT_DETAILS);
  const outputParts = partsOf(outputDetails, OUTPUT_DETAILS);
  const cachedParts = partsOf(cached, INPUT_DETAILS);
  if (inputParts === undefined || outputParts === undefined || cachedParts === undefined) return 'invalid';
  if (!isTokenCount(input ?? 0) || !isTokenCount(output ?? 0)) return 'invalid';
  const parts: Record<string, number> = { ...inputParts };
  for (const name of ['audio', 'image'] as const) {
    const left = parts[name];
    if (left !== undefined) parts[name] = Math.max(0, left - (cachedParts[name] ?? 0));
  }
  return {
    input: { total: (input ?? 0) as number, ...parts },
    output: { total: (output ?? 0) as number, ...outputParts },
  };
}

function partsOf(details: Document, names: Details): Readonly<Record<string, number>> | undefined {
  const parts: Record<string, number> = {};
  for (const [name, member] of names) {
    const value = details[member];
    if (value === undefined || value === null) continue;
    if (!isTokenCount(value)) return undefined;
    parts[name] = value as number;
  }
  return parts;
}

type Figure = number | null | undefined;

/** Figures of a report, each of which can be true by itself; null and undefined = not reported. */
export interface ReportedFigures {
  readonly input: Figure;
  readonly output: Figure;
  readonly total?: Figure;
  readonly cacheRead?: Figure;
  readonly cacheWrite?: Figure;
  readonly audioIn?: Figure;
  readonly imageIn?: Figure;
  readonly reasoning?: Figure;
  readonly audioOut?: Figure;
  readonly imageOut?: Figure;
}

const INPUT_PARTS = ['cacheRead', 'cacheWrite', 'audioIn', 'imageIn'] as const;
const OUTPUT_PARTS = ['reasoning', 'audioOut', 'imageOut'] as const;
type InputPart = (typeof INPUT_PARTS)[number];
type Part = InputPart | (typeof OUTPUT_PARTS)[number];

/**
 * Makes one usage of a report that may contradict itself, by the first reading that fits: as it stands; with named parts beside their
 * whole, where that makes the total; with the rest of the total as output; parts above their whole are cut to it.
 * https://docs.mistral.ai/capabilities/audio (read 2026-11-28) shows sound beside the prompt.
 */
export function settleUsage(figures: ReportedFigures): Usage {
  const total = figures.total ?? undefined;
  let input = figures.input ?? undefined;
  let output = figures.output ?? undefined;
  let reading: Usage['reading'];
  if (total !== undefined && input !== undefined && output === undefined && total >= input)
    output = total - input;
  else if (input !== undefined && output !== undefined) {
    const beside = partsBeside(figures, total === undefined ? undefined : total - input - output);
    for (const name of beside) {
      if (isInputPart(name)) input += figures[name] ?? 0;
      else output += figures[name] ?? 0;
    }
    if (total !== undefined && total > input + output) {
      output = total - input;
      reading = 'rest-of-total';
    }
  }
  const most = (name: Part, whole: number | undefined): number => {
    const part = figures[name] ?? 0;
    if (whole === undefined || part <= whole) return part;
    reading ??= 'parts-cut';
    return whole;
  };
  const cut = {
    cacheRead: most('cacheRead', input),
    cacheWrite: most('cacheWrite', input),
    audioIn: most('audioIn', input),
    imageIn: most('imageIn', input),
    reasoning: most('reasoning', output),
    audioOut: most('audioOut', output),
    imageOut: most('imageOut', output),
  };
  const read: Writable<Usage['input']> = { total: input };
  if (cut.cacheRead > 0) read.cacheRead = cut.cacheRead;
  if (cut.cacheWrite > 0) read.cacheWrite = cut.cacheWrite;
  if (cut.audioIn > 0) read.audio = cut.audioIn;
  if (cut.imageIn > 0) read.image = cut.imageIn;
  const written: Writable<Usage['output']> = { total: output };
  if (cut.reasoning > 0) written.reasoning = cut.reasoning;
  if (cut.audioOut > 0) written.audio = cut.audioOut;
  if (cut.imageOut > 0) written.image = cut.imageOut;
  return reading === undefined ? { input: read, output: written } : { input: read, output: written, reading };
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

const isInputPart = (name: Part): name is InputPart => (INPUT_PARTS as readonly Part[]).includes(name);

/**
 * The parts that stand beside their whole: the fewest whose sum is what the total has more than input and output.
 * @param rest  of the total; undefined = there is none, and only reasoning above the output shows to stand beside it
 */
function partsBeside(figures: ReportedFigures, rest: number | undefined): readonly Part[] {
  if (rest === undefined) return (figures.reasoning ?? 0) > (figures.output ?? 0) ? ['reasoning'] : NO_PARTS;
  if (rest <= 0) return NO_PARTS;
  const named = [...OUTPUT_PARTS, ...INPUT_PARTS].filter((name) => (figures[name] ?? 0) > 0);
  let best: readonly Part[] | undefined;
  for (let choice = 1; choice < 1 << named.length; choice += 1) {
    const parts = named.filter((_name, at) => (choice & (1 << at)) !== 0);
    const sum = parts.reduce((so, name) => so + (figures[name] ?? 0), 0);
    if (sum === rest && (best === undefined || parts.length < best.length)) best = parts;
  }
  return best ?? NO_PARTS;
}

const NO_PARTS: readonly Part[] = Object.freeze([]);

/** Names of the usual class of service (OpenAI, Anthropic, Groq, Bedrock, Vertex; their API pages, read 2026-11-21). */
const USUAL: ReadonlySet<string> = new Set(['default', 'standard', 'standard_only', 'on_demand', 'auto']);
/** Vertex names the kind of traffic: `ON_DEMAND_PRIORITY`. */
const TRAFFIC = /^on_demand_/;
const TIER = /^[a-z0-9_-]{1,32}$/;

/** Classes that OpenAI publishes; clients with generated types refuse an answer that names another. */
const PUBLISHED: ReadonlySet<unknown> = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast']);

/** Returns true for a class of service that OpenAI does not publish. */
export const isForeignTier = (value: unknown): boolean =>
  value !== null && value !== undefined && !PUBLISHED.has(value);

/** Class of service an answer names, lower case. @returns undefined = the usual one, or nothing readable */
export function readServiceTier(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.toLowerCase().replace(TRAFFIC, '');
  return USUAL.has(name) || !TIER.test(name) ? undefined : name;
}

/** Class of service a request asks for; `auto` leaves it to the vendor. */
export function requestedServiceTier(document: ScannedObject): { readonly serviceTier?: string } {
  if (!document.members.has('service_tier')) return NONE;
  const asked = readField(document, 'service_tier');
  if (asked === 'auto') return { serviceTier: 'auto' };
  const serviceTier = readServiceTier(asked);
  return serviceTier === undefined ? NONE : { serviceTier };
}

const NONE = {};

/** An image of Google's without a report counts as this many tokens of prompt. */
export const TOKENS_PER_GOOGLE_IMAGE = 258;

/** An image in the answer of a chat (https://ai.google.dev/gemini-api/docs/image-generation, read 2026-11-25). */
export const TOKENS_PER_CHAT_IMAGE = 1_290;

/** Images of a vendor that counts nothing. */
export const imagesAsUsage = (pictures: number, promptTokens: number): Usage => ({
  input: { total: promptTokens + pictures * TOKENS_PER_GOOGLE_IMAGE },
  output: { total: 0 },
});

const BYTES_PER_BASE64 = 3 / 4;

/** Counts the audio and the images of an answer: a client that leaves before the vendor's report has got them all the same. */
export class MediaCount {
  private rawBytes = 0;
  private tokens = 0;

  constructor(private readonly produced: ProducedText) {}

  /** A piece of raw sound, cut anywhere. @param size  of its base64 */
  addRawAudio(size: number): void {
    this.rawBytes += size * BYTES_PER_BASE64;
    this.produced.setAudioTokens(tokensOfRawAudio(this.rawBytes));
  }

  /** Adds a complete sound file, whose length stands in its own header. */
  addAudio(base64: string): void {
    const length = new AudioLength(undefined);
    length.push(Buffer.from(base64, 'base64'));
    this.tokens += length.tokens();
    this.produced.setAudioTokens(this.tokens);
  }

  addImage(): void {
    this.produced.addImage(TOKENS_PER_CHAT_IMAGE);
  }
}
