import type { ChatReply } from '../../model/chat.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { EventAdapter } from './stream-body.js';

const OPENING = '<think>\n';
const CLOSING = '\n</think>\n';

/** Moves reasoning into the text of a stream, between think marks that are chunks of their own. */
export function thinkingToContentAdapter(): EventAdapter {
  /** Block of the reasoning each answer is in. */
  const thinking = new Map<number, number>();
  return (event) => {
    // Reasoning that became text is no reasoning any more: nothing can be proven of it.
    if (event.type === 'block-signature' && event.of === 'reasoning') return NOTHING;
    const choice = 'choice' in event ? (event.choice ?? 0) : 0;
    const open = thinking.get(choice);
    if (event.type === 'reasoning-delta') {
      const delta: StreamEvent = { type: 'text-delta', block: event.block, choice, text: event.text };
      if (open !== undefined) return [{ ...delta, block: open }];
      thinking.set(choice, event.block);
      return [{ ...delta, text: OPENING }, delta];
    }
    if (open === undefined || !endsThinking(event, open)) return [event];
    thinking.delete(choice);
    return [{ type: 'text-delta', block: open, choice, text: CLOSING }, event];
  };
}

const NOTHING: readonly StreamEvent[] = Object.freeze([]);

function endsThinking(event: StreamEvent, block: number): boolean {
  switch (event.type) {
    case 'block-end':
      return event.block === block;
    case 'text-delta':
    case 'refusal-delta':
    case 'media':
    case 'tool-input-start':
    case 'choice-end':
      return true;
    default:
      return false;
  }
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
