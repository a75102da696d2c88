import { isDeepStrictEqual } from 'node:util';

export type Json = Readonly<Record<string, unknown>>;

/** One call of a tool, as a vendor asks for it. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: Json;
}

/** Answer of a vendor at one turn of the story. */
export interface Step {
  readonly index: number;
  readonly thought: string;
  readonly text: string;
  readonly calls: readonly Call[];
  /** Pages the text rests on, returned as citations of it. */
  readonly sources?: readonly { readonly url: string; readonly title: string }[];
}

/** One turn of the model as it came back in a request, and the results that followed it. */
export interface Turn {
  readonly text: string;
  readonly calls: readonly Call[];
  readonly results: readonly { readonly id: string; readonly text: string }[];
  /** Thoughts that came back whole, with the signature of their vendor. */
  readonly signatures: number;
  /** A thought came back in other words, which this vendor lets pass. */
  readonly isChanged?: boolean;
}

/** A request the vendor will not serve, in its own words. */
export class Refusal extends Error {}

export const refuse = (message: string): never => {
  throw new Refusal(message);
};

/** Turns of a session: two rounds of nine turns with tools and one without, and a form at the end. */
export const TURNS = 20;
export const FORM_TURN = TURNS;
const ROUND = TURNS / 2;
/** Turns of the round a request stands in, whose thoughts a vendor wants back. */
export const openRound = (turns: number): number => (turns > FORM_TURN ? 0 : turns % ROUND);

export const FORM = { city: 'Zürich', degrees: 21 } as const;
export const FORM_SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
} as const;

/** A schema with what vendors disagree about: nesting, null, lists, choices. */
export const LOOKUP_SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Name of the city' },
    span: {
      type: 'object',
      properties: {
        days: { type: 'array', items: { type: 'integer' } },
        unit: { type: 'string', enum: ['c', 'f'] },
        note: { type: ['string', 'null'] },
      },
      required: ['days', 'unit', 'note'],
      additionalProperties: false,
    },
  },
  required: ['city', 'span'],
  additionalProperties: false,
} as const;
export const EMPTY_SCHEMA = {
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
} as const;

/** One transparent point. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
export const DATA_LINK = `data:image/png;base64,${PICTURE}`;
export const SYSTEM = 'You know the weather. '.repeat(40);
export const FIRST_QUESTION = 'What is on this picture, and how is the weather there?';
const SECOND_QUESTION = 'And on this one?';
const FORM_QUESTION = 'Sum it up in the form.';

/** Maximum length of an answer that clients allow. */
export const OUTPUT_CAP = 9_000;
/** The user's next words once a round is over. */
export const nextQuestion = (turn: number): string => (turn === TURNS - 1 ? FORM_QUESTION : SECOND_QUESTION);

/** Content a vendor read from a request. */
export interface Understood {
  readonly turns: readonly Turn[];
  readonly isStreamed: boolean;
  /** The caller wants thoughts. */
  readonly isThinking: boolean;
  /** Prompt parts marked for caching. */
  readonly marks: number;
  readonly pictures: number;
  /** Documents other than images. */
  readonly files?: number;
  /** The thought of this turn is returned as a sealed one, without words. */
  readonly isHidden?: boolean;
}

export type FailureKind = 'rate-limited' | 'too-long' | 'overloaded';

/** Answers of a vendor, and the content it expects in the next request. */
export interface Story {
  /** @param understood  content of the request, for answers that repeat it */
  stepAt(index: number, understood?: Understood): Step;
  /** Turns of the round a request stands in, whose thoughts a vendor wants back. */
  openRound(turns: number): number;
  /** The thought of this turn is returned as a sealed one, without words, by the vendors that do so. */
  isHidden(index: number): boolean;
  /** True when a turn's thought, in these words, is one of the story's; absent = the very words of its step. */
  knowsThought?(index: number, words: unknown): boolean;
  /** Compares the history of a request with what was answered. Fails: throws a refusal. */
  checkHistory(turns: readonly Turn[]): void;
  /** The answers were another mock's: words of thoughts and their signatures are taken as they come. */
  readonly isForeign?: true;
  /** Failure of the call; absent = none. */
  readonly failure?: FailureKind | 'cut';
}

export function stepAt(index: number): Step {
  const thought = `Thought ${index}: “hm”, \n\\ next.`;
  if (index >= FORM_TURN) return { index, thought, text: JSON.stringify(FORM), calls: [] };
  if (index % ROUND === ROUND - 1) return { index, thought, text: `Answer ${index}. Grüße 👋`, calls: [] };
  const lookup = (part: number): Call => ({
    id: `call_${index}_${part}`,
    name: 'lookup',
    args: { city: `Zürich “${part}”\n👋`, span: { days: [index, part], unit: 'c', note: null } },
  });
  const now: Call = { id: `call_${index}_1`, name: 'now', args: {} };
  return {
    index,
    thought,
    text: index % 2 === 0 ? `Step ${index}.` : '',
    calls: index % 3 === 2 ? [lookup(0), now, lookup(2)] : [lookup(0), now],
  };
}

/** Twenty turns of an agent that asks about the weather. */
export const AGENT_STORY: Story = {
  stepAt,
  openRound,
  isHidden: (index) => index % ROUND === 4,
  checkHistory: (turns) => checkHistory(turns, AGENT_STORY),
};

/** Answer of a tool: identifies the call it belongs to. */
export const resultOf = (name: string, args: unknown): string => `result of ${name} ${JSON.stringify(args)}`;

/**
 * Compares the history of a request with what the vendor really answered: texts, calls in their order with their arguments,
 * a result for every call. Fails: throws a refusal.
 */
export function checkHistory(turns: readonly Turn[], story: Story): void {
  for (const [index, turn] of turns.entries()) {
    const step = story.stepAt(index);
    const name = `turn ${index}`;
    if (turn.text !== step.text) refuse(`${name}: text ${JSON.stringify(turn.text)} was never said`);
    const said = step.calls.map(({ name: tool, args }) => ({ tool, args }));
    const kept = turn.calls.map(({ name: tool, args }) => ({ tool, args }));
    if (!isDeepStrictEqual(said, kept)) refuse(`${name}: calls differ: ${JSON.stringify(kept)}`);
    if (turn.results.length !== turn.calls.length)
      refuse(`${name}: ${turn.results.length} results for ${turn.calls.length} calls`);
    for (const [at, call] of turn.calls.entries()) {
      const result = turn.results.find(({ id }) => id === call.id) ?? turn.results[at];
      if (result?.text !== resultOf(call.name, call.args))
        refuse(`${name}: result ${at} is ${JSON.stringify(result)}`);
    }
  }
}

// ── Reading what came ──

export const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : []);
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Refuses unknown members, with the given message. */
export function onlyMembers(value: Json, known: readonly string[], sentence: (name: string) => string): void {
  for (const name of Object.keys(value)) if (!known.includes(name)) refuse(sentence(name));
}

/** Usage every vendor of the story reports, each in its own form: cached tokens stand beside fresh ones. */
export const SPENT = { fresh: 100, cached: 40, written: 10, output: 30, thinking: 12 } as const;
/** Fails: throws a refusal unless the text is base64 of the ordinary alphabet, as most vendors want it. */
export function checkBase64(data: string, place: string): void {
  if (data === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(data) || data.length % 4 !== 0)
    refuse(`${place}: invalid base64 data`);
}

/** Fails: throws a refusal unless the address is a data URL whose bytes are of the type it names, or a web address. */
export function checkDataUrl(url: string, place: string): void {
  if (/^https?:/.test(url)) return;
  const [, type = '', data = ''] = /^data:([\w.+/-]+);base64,(.*)$/s.exec(url) ?? [];
  checkBase64(data, place);
  checkMagic(type, data, place);
}

const MAGICS: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgo',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'image/webp': 'UklGR',
  'application/pdf': 'JVBERi',
};

/** Fails: throws a refusal when the bytes are not of the stated type, or an image's type is none that vendors take. */
export function checkMagic(type: string, data: string, place: string): void {
  const magic = MAGICS[type];
  if (magic === undefined && type.startsWith('image/'))
    refuse(`${place}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`);
  if (magic !== undefined && !data.startsWith(magic)) refuse(`${place}: the bytes are not ${type}`);
}

export const pieces = (value: string): string[] => value.match(/.{1,7}/gsu) ?? [];
