import type { Usage } from '../../model/usage.js';
import type { Route } from '../../ports/channel-picker.js';
import { TOKENS_PER_CONTEXT, referencedInputTokens } from './referenced-input.js';

/** What a report is held against: what we asked and what came back. */
export interface Traffic {
  /** The request's body as the caller wrote it: the same whether it was passed on or translated. */
  readonly requestBody: Buffer;
  /** Our own estimate of what was sent: pictures and sound are no text. */
  readonly promptTokens: number;
  /** The model's name asks the vendor to search, or an application behind the vendor's key adds what it keeps. */
  readonly readsMore: boolean;
  readonly route: Pick<Route, 'settings' | 'paramOverride'>;
  /** Bytes of the reply's body. */
  readonly receivedBytes: number;
  /** Largest output of one answer of the models in question, when the price table knows it. */
  readonly modelOutputCap: number | undefined;
  /** Answers the request asked for when it left. */
  readonly choices: number;
}

/** Vendors frame prompts, add instructions of their own and paste search results: tokens no byte of ours stands for. */
const UNSEEN_INPUT_TOKENS = 16_384;

/** No vocabulary writes a byte with more than one token; the rest is for what vendors count beside it. */
const TOKENS_PER_RECEIVED_BYTE = 4;
/** Reasoning that is not shown has no bytes. No model known today answers near this much. */
const UNKNOWN_MODEL_OUTPUT_TOKENS = 2_000_000;

/**
 * Whether a report may be true of this traffic. The bounds are wide: they are there so that an upstream cannot
 * take an account with one sentence, not to check its arithmetic.
 */
export function isPlausible(usage: Usage, traffic: Traffic): boolean {
  return (
    isPlausibleOutput(usage.output.total ?? 0, traffic) && isPlausibleInput(usage.input.total ?? 0, traffic)
  );
}

function isPlausibleOutput(tokens: number, traffic: Traffic): boolean {
  if (tokens <= traffic.receivedBytes * TOKENS_PER_RECEIVED_BYTE) return true;
  return tokens <= (traffic.modelOutputCap ?? UNKNOWN_MODEL_OUTPUT_TOKENS) * traffic.choices;
}

function isPlausibleInput(tokens: number, traffic: Traffic): boolean {
  // True of nearly every call: nothing is read twice for it.
  let bound = traffic.requestBody.length + UNSEEN_INPUT_TOKENS;
  if (tokens <= bound) return true;
  const { settings, paramOverride } = traffic.route;
  bound += traffic.promptTokens + Buffer.byteLength(settings.systemPrompt ?? '');
  if (traffic.readsMore) bound += TOKENS_PER_CONTEXT;
  if (paramOverride !== undefined) {
    const written = Buffer.from(JSON.stringify(paramOverride));
    bound += written.length + referencedInputTokens(written);
  }
  return tokens <= bound + referencedInputTokens(traffic.requestBody);
}
