import type { ChatSettings } from '../chat/chat-settings';
import { type ChatMessage, textMessage, textOf } from '../chat/messages';
import { EMPTY_TREE, shownPath, type VersionTree, withPath } from '../chat/versions';
import type { Conversation, StoredLane } from './conversation';

export const GREETING_IDS = ['greeting-user', 'greeting-assistant'] as const;
const TITLE_CHARACTERS = 80;

export const greeting = (user: string, assistant: string): ChatMessage[] => [
  textMessage(GREETING_IDS[0], 'user', user),
  textMessage(GREETING_IDS[1], 'assistant', assistant),
];

export const newConversation = (
  settings: ChatSettings,
  messages: readonly ChatMessage[],
  lanes: readonly Pick<StoredLane, 'model'>[] = [{ model: '' }],
): Conversation => ({
  id: crypto.randomUUID(),
  title: '',
  updatedAtMs: Date.now(),
  settings,
  lanes: lanes.map(({ model }) => ({ id: crypto.randomUUID(), model, tree: withPath(EMPTY_TREE, messages) })),
  receipts: {},
});

/** Beginning of the first question; empty before the first question. */
export function titleOf(lanes: readonly Pick<StoredLane, 'tree'>[]): string {
  const first = lanes[0];
  const question =
    first === undefined
      ? undefined
      : shownPath(first.tree).find(({ id, role }) => role === 'user' && id !== GREETING_IDS[0]);
  if (question === undefined) return '';
  const text = textOf(question).replaceAll(/\s+/g, ' ').trim();
  return text === '' ? '…' : [...text].slice(0, TITLE_CHARACTERS).join('');
}

/**
 * A conversation as it is taken up again: an answer that was arriving when the page was left is marked as interrupted, and a question that
 * an expired session refused is left out, since the draft has it.
 */
export const takenUp = (conversation: Conversation): Conversation => ({
  ...conversation,
  lanes: conversation.lanes.map((lane) => ({ ...lane, tree: withoutRefused(interrupted(lane.tree)) })),
});

const interrupted = (tree: VersionTree): VersionTree => ({
  ...tree,
  nodes: tree.nodes.map((node) => {
    const { metadata } = node.message;
    const last = metadata?.calls?.at(-1);
    if (last === undefined || last.totalMs !== undefined) return node;
    return { ...node, message: { ...node.message, metadata: { ...metadata, ending: 'interrupted' } } };
  }),
});

function withoutRefused(tree: VersionTree): VersionTree {
  const path = shownPath(tree);
  if (path.at(-1)?.metadata?.failure?.status !== 401) return tree;
  const left = path.slice(path.at(-2)?.role === 'user' ? -2 : -1).map(({ id }) => id);
  return {
    nodes: tree.nodes.filter(({ message }) => !left.includes(message.id)),
    leaf: path.at(-left.length - 1)?.id ?? null,
  };
}
