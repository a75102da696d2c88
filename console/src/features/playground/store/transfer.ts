import { isRecord, parseJson } from '../../../shared/format/json';
import type { Conversation } from './conversation';

const FORMAT = 'tollgate-playground';
const VERSION = 1;

/** Conversations as a file that `readExport` takes back. */
export const writeExport = (conversations: readonly Conversation[]): string =>
  JSON.stringify({ format: FORMAT, version: VERSION, conversations }, null, 1);

/** Conversations of an exported file; undefined when the text is no such file. Entries that cannot be read are left out. */
export function readExport(text: string): readonly Conversation[] | undefined {
  const document = parseJson(text);
  if (!isRecord(document) || document['format'] !== FORMAT || document['version'] !== VERSION)
    return undefined;
  const { conversations } = document;
  return Array.isArray(conversations) ? (conversations as unknown[]).filter(isConversation) : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';

export function isConversation(value: unknown): value is Conversation {
  if (!isRecord(value)) return false;
  const { id, title, updatedAtMs, settings, lanes, receipts } = value;
  return (
    isText(id) &&
    isText(title) &&
    typeof updatedAtMs === 'number' &&
    isSettings(settings) &&
    isRecord(receipts) &&
    Array.isArray(lanes) &&
    lanes.length > 0 &&
    lanes.length <= 4 &&
    lanes.every(isLane)
  );
}

const isSettings = (value: unknown): boolean =>
  isRecord(value) &&
  [value['group'], value['systemPrompt'], value['tools'], value['schema']].every(isText) &&
  isRecord(value['parameters']);

function isLane(value: unknown): boolean {
  if (!isRecord(value) || !isText(value['id']) || !isText(value['model']) || !isRecord(value['tree']))
    return false;
  const { nodes, leaf } = value['tree'];
  return Array.isArray(nodes) && nodes.every(isNode) && (leaf === null || isText(leaf));
}

function isNode(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value['message'])) return false;
  const { id, role, parts } = value['message'];
  const { parent } = value;
  return (
    isText(id) &&
    (role === 'user' || role === 'assistant') &&
    Array.isArray(parts) &&
    parts.every(isPart) &&
    (parent === null || isText(parent))
  );
}

function isPart(value: unknown): boolean {
  if (!isRecord(value)) return false;
  switch (value['type']) {
    case 'text':
    case 'reasoning':
      return isText(value['text']);
    case 'file':
      return isText(value['url']) && isText(value['mediaType']);
    case 'tool':
      return isText(value['toolCallId']) && isText(value['toolName']);
    default:
      return value['type'] === 'step';
  }
}
