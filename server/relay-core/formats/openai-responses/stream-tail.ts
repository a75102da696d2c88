import { editEvents, eventJson } from '../shared/metering/event-data.js';
import { documentOf, isDocument, parseDocument, type Document } from '../shared/fields/json-fields.js';
import { withField } from '../shared/openai/append-usage.js';
import type { ClientFormat, StreamTail } from '../contract/api-format.js';
import { writeFailure } from './response-object.js';
import { writeUsage } from './usage.js';

/** A response ends with an event that repeats it whole: only its vendor can write it, figures can be put in. */
export const responsesTail: StreamTail = {
  write({ endMarker, usage }) {
    if (usage === undefined) return endMarker;
    return editEvents(endMarker, (event) =>
      isDocument(event['response'])
        ? { ...event, response: { ...documentOf(event['response']), usage: writeUsage(usage) } }
        : undefined,
    );
  },
  /** Failure in the vendor's form: an `error` for clients that read events, and the response in its state. */
  fail({ context, error, first, events }) {
    const failure = writeFailure(error, context.callId);
    const response = {
      ...documentOf(parseDocument(first)?.['response']),
      object: 'response',
      status: 'failed',
      error: failure,
    };
    const opening = { param: null, error: { type: failure.code, ...failure, param: null } };
    return (
      frame('error', { sequence_number: events, ...failure, ...opening }) +
      frame('response.failed', { sequence_number: events + 1, response })
    );
  },
};

const frame = (type: string, members: Document): string =>
  `event: ${type}\ndata: ${eventJson({ type, ...members })}\n\n`;

export const appendResponsesUsage: NonNullable<ClientFormat<'chat'>['appendUsage']> = (body, usage) =>
  withField(body, 'usage', writeUsage(usage));
