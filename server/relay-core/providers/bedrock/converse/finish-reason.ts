import type { FinishReason } from '../../../model/finish-reason.js';

/** Vendor's words. A finish that means failure becomes an error, never a silent stop. */
const UNIFIED: ReadonlyMap<string, FinishReason['unified']> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-calls'],
  ['content_filtered', 'content-filter'],
  ['guardrail_intervened', 'content-filter'],
  ['malformed_model_output', 'error'],
  ['malformed_tool_use', 'error'],
]);

/** @param answersByTool  the model called only the tool that returns the structured answer */
export function readFinishReason(
  raw: string,
  stopSequence: string | undefined,
  answersByTool: boolean,
): FinishReason {
  const unified = raw === 'tool_use' && answersByTool ? 'stop' : (UNIFIED.get(raw) ?? 'other');
  return { unified, raw, ...(stopSequence === undefined ? {} : { stopSequence }) };
}
