import { closedFinish, finishWithCalls, type FinishReason } from '../../model/finish-reason.js';

/** The vendor's words: https://docs.claude.com/en/api/messages#response-stop-reason (read 2026-11-21). */
const UNIFIED: ReadonlyMap<string, FinishReason['unified']> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  // The vendor's turn is not over: callers of another format cannot go on with it.
  ['pause_turn', 'length'],
  ['compaction', 'length'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-calls'],
  ['refusal', 'content-filter'],
]);

/** @param stopSequence  the vendor's `stop_sequence`; null or empty = none */
export function readStopReason(raw: string, stopSequence: unknown): FinishReason {
  const unified = UNIFIED.get(raw) ?? 'other';
  return typeof stopSequence === 'string' && stopSequence !== ''
    ? { unified, raw, stopSequence }
    : { unified, raw };
}

const REASONS: Readonly<Record<FinishReason['unified'], string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  error: 'max_tokens',
  other: 'end_turn',
};

export interface StopReason {
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
}

/**
 * The reason in this format's words; a word of the family itself (`pause_turn`, …) survives.
 * @param hasToolCalls  the answer asks for tools: some vendors give "stop" even so
 */
export function writeStopReason(finish: FinishReason | undefined, hasToolCalls: boolean): StopReason {
  if (finish === undefined)
    return { stop_reason: hasToolCalls ? 'tool_use' : 'end_turn', stop_sequence: null };
  const { raw, stopSequence } = finish;
  if (stopSequence !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stopSequence };
  if (raw !== undefined && UNIFIED.has(raw)) {
    return { stop_reason: raw, stop_sequence: null };
  }
  return { stop_reason: REASONS[closedFinish(finishWithCalls(finish, hasToolCalls))], stop_sequence: null };
}
