import type { Message } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';

const LABELS: Readonly<Record<Message['role'], string>> = {
  system: 'SYSTEM',
  developer: 'SYSTEM',
  user: 'USER',
  assistant: 'ASSISTANT',
  tool: 'TOOL',
};

/**
 * A conversation as one text, for vendors that take a single question: one message of the user is the question itself, several are joined
 * line by line, each under who said it.
 * @param wordsOf  what a part that holds no words gives; undefined = nothing
 */
export function writeTranscript(
  messages: readonly Message[],
  wordsOf: (part: ContentPart) => string | undefined,
): string {
  const lines = messages.map(({ role, content }) => ({
    label: LABELS[role],
    text: content.flatMap((part) => textOfPart(part) ?? wordsOf(part) ?? []).join('\n'),
  }));
  const [only] = lines;
  if (lines.length === 1 && only?.label === LABELS.user) return only.text;
  return lines.map(({ label, text }) => `${label}:\n${text}`).join('\n');
}

function textOfPart(part: ContentPart): string | undefined {
  if (part.type === 'text' || part.type === 'refusal') return part.text;
  return part.type === 'tool-call' ? `${part.name}(${part.json})` : undefined;
}
