import { editEvents } from '../event-data.js';
import { documentOf, isDocument } from '../json-fields.js';
import { withMember } from '../told-usage.js';
import type { FrontWire, StreamTail } from '../wire.js';
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
};

export const tellResponsesUsage: NonNullable<FrontWire<'chat'>['tellUsage']> = (body, usage) =>
  withMember(body, 'usage', writeUsage(usage));
