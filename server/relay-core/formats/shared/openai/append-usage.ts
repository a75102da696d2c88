import { scanObject, spliceFields } from '../../../framing/json-splice.js';
import type { Usage } from '../../../model/usage.js';
import { eventJson, lastDocument } from '../metering/event-data.js';
import { textOf } from '../fields/json-fields.js';
import { writeUsage } from './openai-usage.js';
import type { StreamTail } from '../../contract/api-format.js';

/**
 * A whole reply that passed untouched, with figures its vendor left out.
 * @param member  where the format has them
 */
export function withField(body: Buffer, member: string, value: unknown): Buffer {
  const scanned = scanObject(body);
  return typeof scanned === 'string' ? body : spliceFields(scanned, new Map([[member, value]]));
}

/** Figures in the words of chat and text completions. */
export const appendChatUsage = (body: Buffer, usage: Usage): Buffer =>
  withField(body, 'usage', writeUsage(usage));

/**
 * The end of a stream of `choices`: the finish reason where no frame has one, and the figures in a frame of their own, under the names of
 * the frames that passed.
 * @param names.endsWith  an answer's piece in the frame with its end; absent = no frame is added for it
 */
export const choicesTail = (
  object: string,
  idPrefix: string,
  names: { readonly endsWith?: Readonly<Record<string, unknown>> } = {},
): StreamTail => ({
  ...(names.endsWith === undefined ? {} : { namesEnd: true as const }),
  write({ context, lastFrames, endMarker, usage, missingEnd }) {
    const marker = endMarker === '' ? 'data: [DONE]\n\n' : endMarker;
    const isReported = usage !== undefined && context.wantsStreamUsage;
    if (!isReported && missingEnd === undefined) return marker;
    const passed = lastDocument(lastFrames) ?? {};
    const { created, system_fingerprint: fingerprint, service_tier: tier } = passed;
    const frame = {
      id: textOf(passed['id']) ?? `${idPrefix}${context.callId}`,
      object: textOf(passed['object']) ?? object,
      created: typeof created === 'number' ? Math.floor(created) : context.createdAtSeconds,
      model: textOf(passed['model']) ?? context.model,
      ...(fingerprint === undefined ? {} : { system_fingerprint: fingerprint }),
      ...(tier === undefined ? {} : { service_tier: tier }),
    };
    const finish_reason = missingEnd === 'tool-calls' ? 'tool_calls' : missingEnd;
    const end = { ...frame, choices: [{ index: 0, ...names.endsWith, finish_reason }] };
    const figures = { ...frame, choices: [], usage: usage === undefined ? undefined : writeUsage(usage) };
    return [...(missingEnd === undefined ? [] : [end]), ...(isReported ? [figures] : [])]
      .map((event) => `data: ${eventJson(event)}\n\n`)
      .concat(marker)
      .join('');
  },
});
