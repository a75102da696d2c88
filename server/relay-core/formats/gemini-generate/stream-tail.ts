import { eventJson, lastDocument } from '../shared/metering/event-data.js';
import { documentOf, parseDocument, textOf } from '../shared/fields/json-fields.js';
import { withField } from '../shared/openai/append-usage.js';
import type { ClientFormat, StreamTail } from '../contract/api-format.js';
import { writeUsage } from './usage.js';

/** A stream ends with its finish reason; figures the vendor did not give come in a frame of their own, an array is closed. */
export const generateTail: StreamTail = {
  write({ context, call, lastFrames, endMarker, usage }) {
    const isArray = call.shape.streamForm === 'json-array';
    const marker = endMarker === '' && isArray ? ']' : endMarker;
    if (usage === undefined) return marker;
    const passed = documentOf(
      isArray ? parseDocument(lastFrames.replace(/^[[,\s]*/, '')) : lastDocument(lastFrames),
    );
    const json = eventJson({
      usageMetadata: writeUsage(usage),
      modelVersion: textOf(passed['modelVersion']) ?? context.model,
      responseId: textOf(passed['responseId']) ?? context.callId,
    });
    return isArray ? `,\n${json}${marker}` : `data: ${json}\n\n${marker}`;
  },
};

export const appendGenerateUsage: NonNullable<ClientFormat<'chat'>['appendUsage']> = (body, usage) =>
  withField(body, 'usageMetadata', writeUsage(usage));
