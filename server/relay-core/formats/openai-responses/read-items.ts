import type { Message } from '../../model/chat.js';
import type { ContentPart, ThoughtSignature } from '../../model/content.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { isOrphanedSignature, readPortableSignature } from '../shared/fields/portable-signature.js';
import { documentOf, given, listOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { RESPONSES_FORMAT } from './id.js';
import { joinName } from './namespaces.js';
import { readOwnThought } from './own-thoughts.js';
import { readContent } from './read-parts.js';

const KNOWN_MESSAGE_FIELDS: ReadonlySet<string> = new Set(['type', 'role', 'content']);
const KNOWN_CALL_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'call_id',
  'name',
  'namespace',
  'arguments',
  'input',
]);
const KNOWN_OUTPUT_FIELDS: ReadonlySet<string> = new Set(['type', 'call_id', 'output']);
const KNOWN_REASONING_FIELDS: ReadonlySet<string> = new Set(['type', 'id', 'encrypted_content']);
const NAMED_REASONING_FIELDS: ReadonlySet<string> = new Set(['type', 'encrypted_content']);

/**
 * Items of the input, in order, as turns: calls and reasoning belong to the assistant's turn, outputs are answers of
 * tools. Kinds only this format knows stay what they are, in the turn of the assistant.
 */
export function readItems(items: readonly Document[]): readonly Message[] {
  const messages: Message[] = [];
  let turn: ContentPart[] | undefined;
  const assistant = (...parts: readonly ContentPart[]): void => {
    if (turn === undefined) {
      turn = [];
      messages.push({ role: 'assistant', content: turn });
    }
    turn.push(...parts);
  };
  for (const item of items) {
    const type = textOf(item['type']) ?? (item['role'] === undefined ? '' : 'message');
    if (type === 'message') {
      const message = readMessage(item);
      if (message.role === 'assistant' && message.vendorOptions === undefined) assistant(...message.content);
      else {
        messages.push(message);
        turn = undefined;
        if (message.role === 'assistant') {
          turn = [...message.content];
          messages[messages.length - 1] = { ...message, content: turn };
        }
      }
    } else if (type === 'function_call_output' || type === 'custom_tool_call_output') {
      turn = undefined;
      messages.push(readOutput(item, type));
    } else if (type !== 'reasoning' || !provesNothing(item)) assistant(readTurnItem(item, type));
  }
  return messages.map((message) =>
    message.role === 'assistant' ? { ...message, content: attachSignatures(message.content) } : message,
  );
}

/** Signatures of calls travel as hidden reasoning that names the call: they go back to it. */
function attachSignatures(content: readonly ContentPart[]): readonly ContentPart[] {
  const signatures = new Map<string, ThoughtSignature>();
  for (const part of content) if (isCarrier(part)) signatures.set(part.signature.id ?? '', part.signature);
  if (signatures.size === 0) return content;
  return content.flatMap((part): readonly ContentPart[] => {
    if (
      isCarrier(part) &&
      content.some((other) => other.type === 'tool-call' && other.callId === part.signature.id)
    )
      return [];
    const signature = part.type === 'tool-call' ? signatures.get(part.callId) : undefined;
    if (part.type !== 'tool-call' || signature === undefined) return [part];
    return [{ ...part, signature: { by: signature.by, data: signature.data } }];
  });
}

const isCarrier = (
  part: ContentPart,
): part is Extract<ContentPart, { type: 'reasoning' }> & { signature: ThoughtSignature } =>
  part.type === 'reasoning' &&
  part.text === '' &&
  part.signature?.by === 'google' &&
  part.signature.id !== undefined;

/** Names of the tools that xAI runs itself and lists as calls (https://docs.x.ai/docs/guides/tools, read 2026-11-28). */
const VENDOR_RUN = /^(?:x_(?:user|keyword|semantic)_search|x_thread_fetch|view_x_video|view_image)$/;

/** Returns true for a call that the vendor ran itself: no client has such a tool to run. */
export const isVendorRun = (item: Document): boolean =>
  item['type'] === 'custom_tool_call' && VENDOR_RUN.test(textOf(item['name']) ?? '');

/** An item of the assistant's turn: what a response's `output` holds beside messages. */
export function readTurnItem(item: Document, type: string): ContentPart {
  if (isVendorRun(item)) return { type: 'vendor', apiFormat: RESPONSES_FORMAT, value: item };
  switch (type) {
    case 'function_call':
    case 'custom_tool_call': {
      const isFreeform = type === 'custom_tool_call';
      return {
        type: 'tool-call',
        callId: textOf(item['call_id']) ?? textOf(item['id']) ?? '',
        name: joinName(textOf(item['namespace']), textOf(item['name']) ?? ''),
        json: textOf(item[isFreeform ? 'input' : 'arguments']) ?? '',
        ...(isFreeform ? { isFreeform } : {}),
        ...given('vendorOptions', keepUnknown(RESPONSES_FORMAT, item, KNOWN_CALL_FIELDS)),
      };
    }
    case 'reasoning':
      return readReasoning(item);
    default:
      return { type: 'vendor', apiFormat: RESPONSES_FORMAT, value: item };
  }
}

/** A reasoning item: its summary or, where a vendor shows it, its text; the encrypted form is the signature. */
function readReasoning(item: Document): ContentPart {
  const text = reasoningText(item);
  const encrypted = textOf(item['encrypted_content']);
  const id = textOf(item['id']);
  const own = encrypted === undefined ? undefined : readOwnThought(encrypted);
  if (own !== undefined) return { type: 'reasoning', text: own };
  // The id belongs to the signature, or, without one, to this format.
  const known = encrypted === undefined ? NAMED_REASONING_FIELDS : KNOWN_REASONING_FIELDS;
  const carried = encrypted === undefined ? undefined : readPortableSignature(encrypted, 'openai', id);
  return {
    type: 'reasoning',
    // Clients shorten summaries or leave them out: what travelled inside is what was signed.
    text: carried?.words ?? text,
    ...(carried === undefined ? {} : { signature: carried.signature }),
    ...(carried?.isRedacted === true ? { isRedacted: true } : {}),
    ...given('vendorOptions', keepUnknown(RESPONSES_FORMAT, item, known)),
  };
}

/** A thought of the history whose signature came back without the words it is good for. */
function provesNothing(item: Document): boolean {
  const encrypted = textOf(item['encrypted_content']);
  return (
    encrypted !== undefined &&
    isOrphanedSignature(readPortableSignature(encrypted, 'openai'), reasoningText(item))
  );
}

/** Summary parts are paragraphs. */
export function reasoningText(item: Document): string {
  const texts = (name: string): string =>
    listOf(item[name])
      .map((part) => textOf(documentOf(part)['text']) ?? '')
      .filter((text) => text !== '')
      .join('\n\n');
  const summary = texts('summary');
  return summary === '' ? texts('content') : summary;
}

function readMessage(item: Document): Message {
  const vendorOptions = keepUnknown(RESPONSES_FORMAT, item, KNOWN_MESSAGE_FIELDS);
  const role = item['role'];
  const content = readContent(item['content']);
  // Ids and states of past messages mean nothing to a vendor that did not store them.
  const kept = vendorOptions === undefined ? undefined : withoutIds(vendorOptions[RESPONSES_FORMAT] ?? {});
  return {
    role: role === 'system' || role === 'developer' || role === 'assistant' ? role : 'user',
    content,
    ...(kept === undefined ? {} : { vendorOptions: { [RESPONSES_FORMAT]: kept } }),
  };
}

function withoutIds(members: Document): Document | undefined {
  const { id: _id, status: _status, ...rest } = members;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** The output of a call, as the message it is elsewhere. */
export function readOutput(item: Document, type: string): Message {
  const vendorOptions = keepUnknown(RESPONSES_FORMAT, item, KNOWN_OUTPUT_FIELDS)?.[RESPONSES_FORMAT];
  const own = type === 'custom_tool_call_output' ? { ...vendorOptions, type } : vendorOptions;
  return {
    role: 'tool',
    callId: textOf(item['call_id']) ?? '',
    content: readContent(item['output']),
    ...(own === undefined ? {} : { vendorOptions: { [RESPONSES_FORMAT]: own } }),
  };
}
