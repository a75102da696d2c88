import type { ChatReply } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import type { StreamEvent } from '../../model/stream-event.js';

const NO_ARGUMENTS = '{}';

/**
 * Gives calls that ended without a piece of their input the JSON of no arguments: clients parse it. In one place for all formats,
 * since vendors send nothing, an empty text, or white space.
 */
export class FinishedCalls {
  /** Blocks of calls without input so far. */
  private readonly empty = new Map<number, number | undefined>();

  /** Events to write before the event, if any. */
  before(event: StreamEvent): StreamEvent | undefined {
    switch (event.type) {
      case 'tool-input-start':
        if (event.isFreeform !== true) this.empty.set(event.block, event.choice);
        return undefined;
      case 'tool-input-delta':
        if (event.json.trim() !== '') this.empty.delete(event.block);
        return undefined;
      case 'block-end': {
        if (!this.empty.has(event.block)) return undefined;
        const choice = this.empty.get(event.block);
        this.empty.delete(event.block);
        return {
          type: 'tool-input-delta',
          block: event.block,
          json: NO_ARGUMENTS,
          ...(choice === undefined ? {} : { choice }),
        };
      }
      default:
        return undefined;
    }
  }
}

/** The same for a whole answer. */
export function withFinishedCalls(reply: ChatReply): ChatReply {
  if (!reply.choices.some(({ content }) => content.some(lacksInput))) return reply;
  return {
    ...reply,
    choices: reply.choices.map((choice) => ({
      ...choice,
      content: choice.content.map((part) => (lacksInput(part) ? { ...part, json: NO_ARGUMENTS } : part)),
    })),
  };
}

const lacksInput = (part: ContentPart): part is Extract<ContentPart, { type: 'tool-call' }> =>
  part.type === 'tool-call' && part.isFreeform !== true && part.json.trim() === '';
