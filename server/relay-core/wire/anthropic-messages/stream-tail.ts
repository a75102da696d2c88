import { editEvents } from '../event-data.js';
import { documentOf } from '../json-fields.js';
import { withMember } from '../told-usage.js';
import type { FrontWire, StreamTail } from '../wire.js';
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

export const tellMessagesUsage: NonNullable<FrontWire<'chat'>['tellUsage']> = (body, usage) =>
  withMember(body, 'usage', writeUsage(usage));
