import { readField, scanObject, spliceFields, type ScannedObject } from '../../framing/json-splice.js';
import {
  documentOf,
  listOf,
  parseDocument,
  textOf,
  type Document,
} from '../../formats/shared/fields/json-fields.js';
import { clientToolForm } from '../../formats/shared/fields/client-tools.js';
import type { MessagesToolRules } from '../../model/vendor-description.js';
import type { Warning } from '../../model/warning.js';
import { messageSpans } from './message-spans.js';

export const UNKNOWN_TOOL = 'this vendor has no such tool';
export const UNKNOWN_TOOL_MEMBER = 'this vendor refuses tools with members it does not know';

const REFERENCE = Buffer.from('"tool_reference"');
const RESULT = Buffer.from('"tool_result"');

/**
 * A body of the Messages API with the tools that its vendor takes: Claude Code sends tools that load later, members of beta features and
 * tools that only Anthropic runs, each of which other vendors refuse.
 * @returns the same buffer when nothing changes
 */
export function fitMessagesTools(
  document: ScannedObject,
  rules: MessagesToolRules,
  warnings: Warning[],
): Buffer {
  const body = document.bytes;
  const changes = new Map<string, unknown>();
  const sent = listOf(readField(document, 'tools')).map(documentOf);
  const tools = fitTools(sent, rules, warnings);
  if (tools !== sent) {
    changes.set('tools', tools.length === 0 ? undefined : tools);
    const choice = documentOf(readField(document, 'tool_choice'));
    const isGone = choice['type'] === 'tool' && !tools.some(({ name }) => name === choice['name']);
    if (tools.length === 0 || isGone) {
      changes.set('tool_choice', undefined);
      if (document.members.has('tool_choice'))
        warnings.push({ setting: 'tool_choice', reason: UNKNOWN_TOOL });
    }
  }
  const fitted = changes.size === 0 ? body : spliceFields(document, changes);
  const referred =
    rules.knowsReferences === true || !fitted.includes(REFERENCE)
      ? fitted
      : changeMessages(fitted, REFERENCE, asText);
  return rules.hasTextResults === true ? changeMessages(referred, RESULT, withTextResults) : referred;
}

function fitTools(
  sent: readonly Document[],
  { ownTypes, members }: MessagesToolRules,
  warnings: Warning[],
): readonly Document[] {
  let isChanged = false;
  const tools = sent.flatMap((tool, index) => {
    const type = textOf(tool['type']);
    if (type !== undefined && type !== 'custom') {
      if (ownTypes.test(type)) return [tool];
      isChanged = true;
      const form = clientToolForm(tool);
      if (form !== undefined) return [{ name: tool['name'], ...form, ...cacheMarkOf(tool, members) }];
      warnings.push({ setting: `tools.${index}`, reason: UNKNOWN_TOOL });
      return [];
    }
    const left = Object.keys(tool).filter((name) => !members.has(name));
    if (left.length === 0) return [tool];
    isChanged = true;
    for (const name of left)
      // A tool that is there from the start, and its usual type, are what the client gets without them.
      if (name !== 'type' && tool[name] !== false && tool[name] !== null)
        warnings.push({ setting: `tools.${index}.${name}`, reason: UNKNOWN_TOOL_MEMBER });
    return [Object.fromEntries(Object.entries(tool).filter(([name]) => members.has(name)))];
  });
  return isChanged ? tools : sent;
}

const cacheMarkOf = (tool: Document, members: ReadonlySet<string>): Document =>
  tool['cache_control'] === undefined || !members.has('cache_control')
    ? {}
    : { cache_control: tool['cache_control'] };

/** @returns the same buffer when no message holds the mark, or `change` returns all of them as they are */
function changeMessages(body: Buffer, mark: Buffer, change: (message: Document) => Document): Buffer {
  const document = scanObject(body);
  const span = typeof document === 'string' ? undefined : document.members.get('messages');
  if (typeof document === 'string' || span === undefined) return body;
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end } of messageSpans(document.bytes, span)) {
    const bytes = document.bytes.subarray(start, end);
    if (!bytes.includes(mark)) continue;
    const message = parseDocument(bytes.toString('utf8'));
    const changed = message === undefined ? message : change(message);
    if (changed === undefined || changed === message) continue;
    parts.push(document.bytes.subarray(at, start), Buffer.from(JSON.stringify(changed)));
    at = end;
  }
  return parts.length === 0 ? body : Buffer.concat([...parts, document.bytes.subarray(at)]);
}

/** A turn whose results hold texts alone; what else they held stands behind them, each after the id of its call. */
function withTextResults(message: Document): Document {
  const moved: Document[] = [];
  const content = listOf(message['content'])
    .map(documentOf)
    .map((block): Document => {
      const held = block['type'] === 'tool_result' ? listOf(block['content']).map(documentOf) : [];
      const files = held.filter(({ type }) => type !== 'text');
      if (files.length === 0) return block;
      const label = `Files of the tool's answer ${textOf(block['tool_use_id']) ?? ''}:`;
      moved.push({ type: 'text', text: label }, ...files);
      const texts = held.filter(({ type }) => type === 'text');
      return { ...block, content: texts.length === 0 ? [{ type: 'text', text: label }] : texts };
    });
  if (moved.length === 0) return message;
  const last = content.findLastIndex(({ type }) => type === 'tool_result');
  return { ...message, content: [...content.slice(0, last + 1), ...moved, ...content.slice(last + 1)] };
}

/** Names of tools that were found, as text; the tools themselves are in the list. */
function asText(holder: Document): Document {
  if (!Array.isArray(holder['content'])) return holder;
  const content = listOf(holder['content']).map((item) => {
    const block = documentOf(item);
    return block['type'] === 'tool_reference'
      ? { type: 'text', text: `Loaded tool: ${textOf(block['tool_name']) ?? ''}` }
      : asText(block);
  });
  return { ...holder, content };
}
