import { textOf } from '../fields/json-fields.js';
import { closedFinish, finishWithCalls, type FinishReason } from '../../../model/finish-reason.js';

/** Vendors' words. A finish that means failure becomes an error, never a silent stop. */
const UNIFIED: ReadonlyMap<string, FinishReason['unified']> = new Map([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['normal', 'stop'],
  // Text Generation Inference
  ['eos_token', 'stop'],
  ['stop_sequence', 'stop'],
  ['end_turn', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  // MiniMax: input and output together are longer than the model takes
  ['max_output', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['sensitive', 'content-filter'],
  ['error', 'error'],
  ['insufficient_system_resource', 'error'],
  ['network_error', 'error'],
]);

/** Strings that stand for a missing end: in every chunk but the last at DashScope, in some answers of DeepSeek. */
const NO_END: ReadonlySet<string> = new Set(['null', 'None']);

/** The finish reason in a choice; undefined = the answer goes on, or its end is not known. */
export function finishReasonIn(value: unknown): string | undefined {
  const word = textOf(value);
  return word === undefined || NO_END.has(word) ? undefined : word;
}

/** @param hasCalls  some vendors give `stop` although they ask for tools */
export function readFinishReason(raw: string, hasCalls = false): FinishReason {
  return finishWithCalls({ unified: UNIFIED.get(raw) ?? 'other', raw }, hasCalls);
}

const REASONS: Readonly<Record<FinishReason['unified'], string>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  error: 'length',
  other: 'stop',
};

const OPENAI_REASONS: ReadonlySet<string> = new Set([...Object.values(REASONS), 'function_call']);
/** Returns true for a word of OpenAI's own: strictly typed clients know no other. */
export const isOpenaiFinishReason = (raw: string): boolean => OPENAI_REASONS.has(raw);

/** The finish reason of this format. @param hasCalls  the answer has a call, whatever finish reason the vendor sent */
export function writeFinishReason(finish: FinishReason, hasCalls = false): string {
  if (finish.unified === 'tool-calls' && finish.raw === 'function_call') return 'function_call';
  const told = finish.unified === 'other' ? finishWithCalls(finish, hasCalls) : finish;
  return REASONS[closedFinish(told)];
}
