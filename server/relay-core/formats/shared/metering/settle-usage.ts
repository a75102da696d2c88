import type { Usage } from '../../../model/usage.js';

type Figure = number | null | undefined;

/** Figures of a report, each of which can be true by itself; null and undefined = the vendor did not say. */
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
