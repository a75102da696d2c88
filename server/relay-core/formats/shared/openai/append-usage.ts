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

/** The end of a stream of `choices`: the figures in a frame of their own, under the names of the frames that passed. */
export const choicesTail = (object: string, idPrefix: string): StreamTail => ({
  write({ context, lastFrames, endMarker, usage }) {
    const marker = endMarker === '' ? 'data: [DONE]\n\n' : endMarker;
    if (usage === undefined || !context.wantsStreamUsage) return marker;
    const passed = lastDocument(lastFrames) ?? {};
    const { created, system_fingerprint: fingerprint, service_tier: tier } = passed;
    const frame = {
      id: textOf(passed['id']) ?? `${idPrefix}${context.callId}`,
      object: textOf(passed['object']) ?? object,
      created: typeof created === 'number' ? Math.floor(created) : context.createdAtSeconds,
      model: textOf(passed['model']) ?? context.model,
      ...(fingerprint === undefined ? {} : { system_fingerprint: fingerprint }),
      ...(tier === undefined ? {} : { service_tier: tier }),
      choices: [],
      usage: writeUsage(usage),
    };
    return `data: ${eventJson(frame)}\n\n${marker}`;
  },
});
