import { editEvents } from '../shared/metering/event-data.js';
import { documentOf } from '../shared/fields/json-fields.js';
import { withField } from '../shared/openai/append-usage.js';
import type { ClientFormat, StreamTail } from '../contract/api-format.js';
import { writeUsage } from './usage.js';

/** A message ends with `message_delta`, which has the figures, and the mark `message_stop`. */
export const messagesTail: StreamTail = {
  holdsLastFrames: true,
  write({ lastFrames, endMarker, usage }) {
    const figures = usage === undefined ? undefined : writeUsage(usage);
    const told =
      figures === undefined
        ? lastFrames
        : editEvents(lastFrames, (event) =>
            event['type'] === 'message_delta'
              ? { ...event, usage: { ...documentOf(event['usage']), ...figures } }
              : undefined,
          );
    return told + (endMarker === '' ? STOP : endMarker);
  },
};

const STOP = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

export const appendMessagesUsage: NonNullable<ClientFormat<'chat'>['appendUsage']> = (body, usage) =>
  withField(body, 'usage', writeUsage(usage));
