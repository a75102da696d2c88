import { parseJson } from '../../../common/parse-json.js';
import { readField, scanObject, spliceFields, type ScannedObject } from '../../framing/json-splice.js';
import {
  documentOf,
  isDocument,
  listOf,
  textOf,
  type Document,
} from '../../formats/shared/fields/json-fields.js';
import { SCAN_FLAGS } from '../../framing/scan-flags.js';
import type { ChatRules } from '../../model/vendor-description.js';
import type { Warning } from '../../model/warning.js';
import { type MessageSpan, messageSpans } from './message-spans.js';

export const EMPTY_TURN = 'this vendor refuses turns of the assistant without content';
export const BROKEN_ARGUMENTS = 'this vendor refuses arguments of earlier calls that are no whole JSON';

/** Turn of the assistant between the result of a tool and a user. */
const AFTER_TOOLS = Buffer.from(JSON.stringify({ role: 'assistant', content: 'OK.' }));
const IN_JSON = 'Answer in JSON.';
const NO_PARAMETERS = Object.freeze({ type: 'object', properties: {} });

/** Flags of a document that was not scanned. */
const ANY_TURN = SCAN_FLAGS.assistant | SCAN_FLAGS.toolTurn | SCAN_FLAGS.textlessTurn | SCAN_FLAGS.bareTurn;

/** False for a caller's chat that the vendor takes as it is, by its members and the turns that the scan of the body found. */
export function mayNeedChatRules(
  { members, scanFlags = ANY_TURN }: Pick<ScannedObject, 'members' | 'scanFlags'>,
  rules: ChatRules,
): boolean {
  if (rules.joinsTexts === true || rules.dropsEmptyTexts === true) return true;
  if (rules.needsParameters === true && members.has('tools')) return true;
  if (rules.needsWordJson === true && members.has('response_format')) return true;
  // Keys with escapes may be roles.
  if ((scanFlags & SCAN_FLAGS.escaped) !== 0) return true;
  const isFound = (flag: number): boolean => (scanFlags & flag) !== 0;
  if (rules.separatesTools === true && isFound(SCAN_FLAGS.toolTurn)) return true;
  if (rules.refusesEmptyTurns === true && isFound(SCAN_FLAGS.bareTurn)) return true;
  if (rules.needsText === true && isFound(SCAN_FLAGS.textlessTurn)) return true;
  const isAboutAnswers =
    rules.needsWholeArguments === true ||
    rules.refusesDetailIndex === true ||
    rules.needsThoughts !== undefined;
  return isAboutAnswers && isFound(SCAN_FLAGS.assistant);
}

/**
 * A chat's body as its vendor takes it, whether its bytes passed or were written. Messages that need nothing keep their bytes.
 * @returns the same buffer when nothing changes
 */
export function fitChatBody(
  document: ScannedObject,
  rules: ChatRules,
  upstreamModel: string,
  warnings: Warning[],
): Buffer {
  const changes = new Map<string, unknown>();
  if (rules.needsParameters === true) fitParameters(document, changes);
  const needsThoughts = rules.needsThoughts?.test(upstreamModel) === true && !isThinkingOff(document);
  const listed = withMessages(document, rules, needsThoughts, warnings);
  const fitted = changes.size === 0 ? listed : spliceInto(listed, changes);
  return rules.needsWordJson === true ? withWordJson(fitted) : fitted;
}

const isThinkingOff = (document: ScannedObject): boolean =>
  document.members.has('thinking') && documentOf(readField(document, 'thinking'))['type'] === 'disabled';

function spliceInto(body: Buffer, changes: ReadonlyMap<string, unknown>): Buffer {
  const document = scanObject(body);
  return typeof document === 'string' ? body : spliceFields(document, changes);
}

/** Functions without `parameters` take none. */
function fitParameters(document: ScannedObject, changes: Map<string, unknown>): void {
  const tools = listOf(readField(document, 'tools')).map(documentOf);
  const lacks = (tool: Document): boolean =>
    isDocument(tool['function']) && (tool['function']['parameters'] ?? null) === null;
  if (!tools.some(lacks)) return;
  changes.set(
    'tools',
    tools.map((tool) =>
      lacks(tool)
        ? { ...tool, function: { ...documentOf(tool['function']), parameters: NO_PARAMETERS } }
        : tool,
    ),
  );
}

function withMessages(
  document: ScannedObject,
  rules: ChatRules,
  needsThoughts: boolean,
  warnings: Warning[],
): Buffer {
  const { bytes, members } = document;
  const span = members.get('messages');
  if (span === undefined) return bytes;
  const spans = messageSpans(bytes, span);
  const texts: Buffer[] = [];
  const dropsTexts =
    rules.dropsEmptyTexts === true && EMPTY_TEXTS.some((text) => bytes.includes(text, span.start));
  let isChanged = false;
  let before = '';
  for (const [index, each] of spans.entries()) {
    const sent = bytes.subarray(each.start, each.end);
    const filled = dropsTexts ? withoutEmptyTexts(sent) : sent;
    const fitted = fitMessage(filled, each, rules, needsThoughts, (reason) => {
      warnings.push({ setting: `messages.${index}`, reason });
    });
    if (fitted !== sent) isChanged = true;
    if (fitted === undefined) continue;
    if (rules.separatesTools === true && before === 'tool' && each.role === 'user') {
      texts.push(AFTER_TOOLS);
      isChanged = true;
    }
    texts.push(fitted);
    before = each.role;
  }
  if (!isChanged) return bytes;
  const parts: Buffer[] = [bytes.subarray(0, span.start), Buffer.from('[')];
  for (const [index, text] of texts.entries()) parts.push(...(index === 0 ? [text] : [COMMA, text]));
  return Buffer.concat([...parts, Buffer.from(']'), bytes.subarray(span.end)]);
}
const COMMA = Buffer.from(',');
const EMPTY_TEXTS = ['"text":""', '"text": ""'].map((text) => Buffer.from(text));

/** A message without the empty texts beside other parts of its content; the same buffer when it has none. */
function withoutEmptyTexts(sent: Buffer): Buffer {
  const message = scanObject(sent);
  if (typeof message === 'string') return sent;
  const content = readField(message, 'content');
  if (!Array.isArray(content)) return sent;
  const filled = content.filter((part: unknown) => !isBlank([part]));
  return filled.length === 0 || filled.length === content.length
    ? sent
    : spliceFields(message, new Map([['content', filled]]));
}

/** @returns the same buffer when nothing changes, undefined when the vendor takes nothing of it */
function fitMessage(
  sent: Buffer,
  { role }: MessageSpan,
  rules: ChatRules,
  needsThoughts: boolean,
  warn: (reason: string) => void,
): Buffer | undefined {
  const isAssistant = role === 'assistant';
  if (!isAssistant && rules.joinsTexts !== true) return sent;
  const message = scanObject(sent);
  if (typeof message === 'string') return sent;
  const changes = new Map<string, unknown>();
  if (rules.joinsTexts === true) joinTexts(message, changes);
  if (isAssistant) {
    const calls = CALLS.some((name) => isFilled(readField(message, name)));
    if (!calls && rules.refusesEmptyTurns === true && isEmptyTurn(message)) {
      warn(EMPTY_TURN);
      return undefined;
    }
    if (calls && rules.needsText === true && !isText(message)) changes.set('content', '');
    if (needsThoughts && !isFilled(readField(message, 'reasoning_content')))
      changes.set('reasoning_content', NO_THOUGHT);
    if (rules.refusesDetailIndex === true && message.members.has('reasoning_details'))
      changes.set(
        'reasoning_details',
        listOf(readField(message, 'reasoning_details')).map((entry) => {
          const { index: _index, ...rest } = documentOf(entry);
          return rest;
        }),
      );
    if (rules.needsWholeArguments === true && message.members.has('tool_calls'))
      fitArguments(message, changes, warn);
  }
  return changes.size === 0 ? sent : spliceFields(message, changes);
}

const CALLS = ['tool_calls', 'function_call'] as const;
/** Empty text is refused: https://github.com/NousResearch/hermes-agent/pull/18263 (read 2026-11-30). */
const NO_THOUGHT = ' ';

const isFilled = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Content that holds nothing, or texts that are empty. */
function isText(message: ScannedObject): boolean {
  const content = readField(message, 'content');
  return typeof content === 'string' || (isFilled(content) && !isBlank(content));
}

const isBlank = (content: unknown): boolean =>
  !isFilled(content) ||
  (Array.isArray(content) &&
    content.every((part) => documentOf(part)['type'] === 'text' && documentOf(part)['text'] === ''));

/** A refusal and a vendor's own members may be all that a turn has. */
const isEmptyTurn = (message: ScannedObject): boolean =>
  isBlank(readField(message, 'content')) &&
  [...message.members.keys()].every(
    (name) => KNOWN_OF_EMPTY.has(name) || !isFilled(readField(message, name)),
  );
const KNOWN_OF_EMPTY: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking_blocks',
]);

function joinTexts(message: ScannedObject, changes: Map<string, unknown>): void {
  const span = message.members.get('content');
  if (span === undefined || message.bytes[span.start] !== OPEN_ARRAY) return;
  const parts = listOf(readField(message, 'content')).map(documentOf);
  const texts = parts.map((part) => (isPlainText(part) ? part['text'] : undefined));
  if (parts.length > 0 && texts.every((text) => text !== undefined)) changes.set('content', texts.join('\n'));
}
const OPEN_ARRAY = 0x5b;

const isPlainText = (part: Document): boolean =>
  part['type'] === 'text' &&
  typeof part['text'] === 'string' &&
  Object.keys(part).every((name) => name === 'type' || name === 'text');

function fitArguments(
  message: ScannedObject,
  changes: Map<string, unknown>,
  warn: (reason: string) => void,
): void {
  const calls = listOf(readField(message, 'tool_calls')).map(documentOf);
  const isWhole = (call: Document): boolean => {
    const text = textOf(documentOf(call['function'])['arguments']);
    return text !== undefined && isDocument(parseJson(Buffer.from(text)));
  };
  if (calls.every((call) => !isDocument(call['function']) || isWhole(call))) return;
  const isCut = (call: Document): boolean =>
    isDocument(call['function']) &&
    (textOf(call['function']['arguments']) ?? '').trim() !== '' &&
    !isWhole(call);
  if (calls.some(isCut)) warn(BROKEN_ARGUMENTS);
  changes.set(
    'tool_calls',
    calls.map((call) =>
      !isDocument(call['function']) || isWhole(call)
        ? call
        : { ...call, function: { ...call['function'], arguments: '{}' } },
    ),
  );
}

/** The body with an instruction that has the word JSON, where the answer is to be JSON and no message has it. */
function withWordJson(body: Buffer): Buffer {
  const document = scanObject(body);
  if (typeof document === 'string') return body;
  const type = documentOf(readField(document, 'response_format'))['type'];
  const span = document.members.get('messages');
  if (span === undefined || (type !== 'json_object' && type !== 'json_schema')) return body;
  if (/json/i.test(document.bytes.toString('latin1', span.start, span.end))) return body;
  const [first, ...rest] = listOf(readField(document, 'messages')).map(documentOf);
  if (first === undefined) return body;
  const { content } = first;
  if (first['role'] !== 'system')
    return spliceFields(
      document,
      new Map([['messages', [{ role: 'system', content: IN_JSON }, first, ...rest]]]),
    );
  const joined =
    typeof content === 'string'
      ? `${content}\n\n${IN_JSON}`
      : [...listOf(content), { type: 'text', text: IN_JSON }];
  return spliceFields(document, new Map([['messages', [{ ...first, content: joined }, ...rest]]]));
}
