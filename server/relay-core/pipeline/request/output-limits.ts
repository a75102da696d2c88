import { readField, scanObject, type ScannedObject } from '../../framing/json-splice.js';
import type { CallShape, OutputLimits } from '../../model/call.js';

/** Names of a cap on the output of one answer. Servers differ on which they read, and ignore the others: the largest counts. */
const CAPS: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_new_tokens',
  'max_gen_len',
  'max_tokens_to_sample',
  'maxTokens',
  'maxOutputTokens',
  'num_predict',
  'n_predict',
  'max_length',
  'max_gen_tokens',
  'maxNewTokens',
  'maxTokenCount',
  'maxCompletionTokens',
  'maxLength',
]);
/** Members with the number of answers or images of one call; an operator's override leaves them alone (override-rules.ts). */
export const MULTIPLIERS: ReadonlySet<string> = new Set([
  'n',
  'best_of',
  'candidateCount',
  'candidate_count',
  'sampleCount',
  'batch_size',
  'num_images',
  'num_return_sequences',
  'num_generations',
  'num_outputs',
  'numberOfImages',
  'number_of_images',
  'sample_count',
  'numResults',
]);
/** Tokens a model may think beside its cap; where it thinks inside the cap, the budget is smaller than the cap. */
const BUDGETS: ReadonlySet<string> = new Set(['thinking_budget', 'budget_tokens', 'thinkingBudget']);
/** Budgets that are never part of the cap. */
const ALWAYS_BESIDE: ReadonlySet<string> = new Set(['thinking_budget']);
/** Objects that hold such members. */
export const CONTAINERS: ReadonlySet<string> = new Set([
  'generationConfig',
  'generation_config',
  'inferenceConfig',
  'options',
  'parameters',
  'extra_body',
  'thinking',
  'thinkingConfig',
  'thinking_config',
  'inputs',
  'google',
  'reasoning',
  'chat_template_kwargs',
  'sampling_params',
  'textGenerationConfig',
  'imageGenerationConfig',
  'reasoning_config',
  'additionalModelRequestFields',
  'additional_model_request_fields',
  'model_kwargs',
]);
/** Usual members that a caller's own bytes keep; their values are part of the call's shape already. */
const KNOWN_TO_SHAPES: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'n',
  'best_of',
  'generationConfig',
  'generation_config',
]);
const LOOKED_AT: ReadonlySet<string> = new Set(
  [...CAPS, ...MULTIPLIERS, ...BUDGETS, ...CONTAINERS].filter((name) => !KNOWN_TO_SHAPES.has(name)),
);
/** More of anything is refused by every vendor. */
const LARGEST = 1_073_741_823;

/** Returns true when a caller's own bytes hold a limit that the shape of the call lacks. */
export function hasOtherLimits(document: ScannedObject): boolean {
  // A request has a handful of members, and dozens of names are looked for.
  for (const name of document.members.keys()) if (LOOKED_AT.has(name)) return true;
  return thinks(document);
}

/** Shapes hold Gemini's settings, but for its thinking budget. */
function thinks({ bytes, members }: ScannedObject): boolean {
  const settings = members.get('generationConfig') ?? members.get('generation_config');
  return settings !== undefined && bytes.subarray(settings.start, settings.end).includes('hinking');
}

/** Returns true when one of these members is a limit. */
export const namesLimit = (members: readonly string[]): boolean => members.some((name) => CAPS.has(name));

/**
 * Output that a finished request allows its vendor: the largest cap and the largest multiplier in it, from any writer
 * (the caller, an adapter, a minimum of the format, the operator's override). Only a cap the vendor's format knows is
 * a bound; one of another format is ignored there.
 * @param body  JSON; of anything else the shape is the answer
 * @param capPlaces  of the vendor's format
 */
export function readOutputLimits(body: Buffer, shape: CallShape, capPlaces: readonly string[]): OutputLimits {
  const document = scanObject(body);
  if (typeof document === 'string') return limitsOf(shape);
  const found: Found = { ...NOTHING_FOUND, choices: Math.max(1, shape.choices), capPlaces };
  for (const name of document.members.keys())
    if (isLimit(name) || CONTAINERS.has(name)) take(found, name, readLeniently(document, name), 0);
  const { choices, isBound } = found;
  const cap = capOf(found);
  if (isBound) return { outputCap: cap, choices };
  return { outputCap: undefined, choices, ...(cap === undefined ? {} : { otherCap: cap }) };
}

/** A scan lets numbers pass that JSON does not know; no vendor reads them either. */
function readLeniently(document: ScannedObject, name: string): unknown {
  try {
    return readField(document, name);
  } catch {
    return undefined;
  }
}

/** Limits that the call itself sets. */
export const limitsOf = ({ outputCap, choices }: CallShape): OutputLimits => ({ outputCap, choices });

interface Found {
  readonly capPlaces: readonly string[];
  cap: number | undefined;
  /** A cap stands where the vendor looks for it. */
  isBound: boolean;
  choices: number;
  budget: number;
  beside: number;
}

const NOTHING_FOUND = { cap: undefined, isBound: false, budget: 0, beside: 0 } as const;

const isLimit = (name: string): boolean => CAPS.has(name) || MULTIPLIERS.has(name) || BUDGETS.has(name);
/** Containers stand in containers: `extra_body.google.thinking_config.thinking_budget`. */
export const DEEPEST_CONTAINER = 3;

function take(found: Found, name: string, value: unknown, depth: number, place = name): void {
  if (typeof value === 'object' && value !== null) {
    if (depth >= DEEPEST_CONTAINER || Array.isArray(value) || !CONTAINERS.has(name)) return;
    for (const [inner, member] of Object.entries(value))
      take(found, inner, member, depth + 1, `${place}.${inner}`);
    return;
  }
  const amount = typeof value === 'string' ? Number(value) : value;
  if (typeof amount !== 'number' || !(amount > 0)) return;
  const whole = Math.min(Math.ceil(amount), LARGEST);
  if (CAPS.has(name)) {
    found.cap = Math.max(found.cap ?? 0, whole);
    found.isBound ||= found.capPlaces.includes(place);
  } else if (MULTIPLIERS.has(name)) found.choices = Math.max(found.choices, whole);
  else if (ALWAYS_BESIDE.has(name)) found.beside = Math.max(found.beside, whole);
  else if (BUDGETS.has(name)) found.budget = Math.max(found.budget, whole);
}

function capOf({ cap, budget, beside }: Found): number | undefined {
  if (cap === undefined) return undefined;
  const thoughts = Math.max(beside, budget >= cap ? budget : 0);
  return Math.min(cap + thoughts, LARGEST);
}
