import type { ChatReply } from '../model/chat.js';
import type { StreamEvent } from '../model/stream-event.js';
import type { EventAdapter } from './stream-body.js';

const OPENING = '<think>\n';
const CLOSING = '\n</think>\n';

/** Moves reasoning into the text of a stream, between think marks that are chunks of their own (relay reference 5.5). */
export function thinkingToContentAdapter(): EventAdapter {
  const thinking = new Set<number>();
  return (event) => {
    const choice = 'choice' in event ? (event.choice ?? 0) : 0;
    if (event.type === 'reasoning-delta') {
      const delta: StreamEvent = { type: 'text-delta', block: event.block, choice, text: event.text };
      if (thinking.has(choice)) return [delta];
      thinking.add(choice);
      return [{ ...delta, text: OPENING }, delta];
    }
    const endsThinking =
      event.type === 'text-delta' || event.type === 'tool-input-start' || event.type === 'choice-end';
    if (!endsThinking || !thinking.delete(choice)) return [event];
    const block = 'block' in event ? event.block : 0;
    return [{ type: 'text-delta', block, choice, text: CLOSING }, event];
  };
}

/** The same for a whole reply. */
export function moveThinkingToContent(reply: ChatReply): ChatReply {
  return {
    ...reply,
    choices: reply.choices.map((choice) => {
      const thoughts = choice.content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
      if (thoughts.length === 0) return choice;
      const rest = choice.content.filter(({ type }) => type !== 'reasoning');
      return { ...choice, content: [{ type: 'text', text: OPENING + thoughts.join('') + CLOSING }, ...rest] };
    }),
  };
}
