import { isBareRound, SCAN_FLAGS } from '../../framing/scan-flags.js';
import {
  type FieldSpan,
  readField,
  scanBody,
  scanObject,
  spliceFields,
  type ScannedObject,
} from '../../framing/json-splice.js';
import { documentOf, textOf } from '../../formats/shared/fields/json-fields.js';
import type { WrittenRequest } from '../../formats/contract/api-format.js';
import { effortWithin } from '../../formats/shared/fields/reasoning-effort.js';
import type {
  EffortRules,
  ThinkingChoiceRules,
  UserIdRules,
  VendorDescription,
} from '../../model/vendor-description.js';
import type { Warning } from '../../model/warning.js';
import type { GatewayName } from '../../ports/gateway-name.js';
import { endUserId } from './end-user-id.js';
import { NO_THINKING, NOT_WHILE_FORCED, NOT_WHILE_THINKING, yieldsToForcedTool } from './forced-choice.js';
import { allowedTools, namedTool } from './passed-tool-choice.js';
import { fitChatBody, mayNeedChatRules } from './fit-chat-body.js';
import { mayHoldOtherIds, withoutOtherIds } from './item-ids.js';
import { fitToolSchemas } from './fit-tool-schemas.js';
import { fitMessagesTools } from './fit-messages-tools.js';
import { MOVED, NO_CHOICE, NO_TIER, NO_TOP_K, NO_USER, NOT_STREAMED } from './fit-to-description.js';
import { mayMisplaceInstructions, placeInstructions } from './passed-instructions.js';
import { leaveOutMembers } from './passed-members.js';
import { mayHoldThoughts, writeThoughts } from './passed-thoughts.js';
import { fitImageForms, mayHoldImages } from './passed-images.js';
import { noteUnseenImages } from './unseen-images.js';
import { isDocument, listOf, parseDocument } from '../../formats/shared/fields/json-fields.js';
import { shortCallId } from '../../formats/shared/requests/short-call-id.js';

const CHAT = 'openai-chat';
const RESPONSES = 'openai-responses';

/** Longest id of a call at the described vendor, in characters; undefined = not bounded. */
export function longestCallId(format: string, { callIds }: VendorDescription): number | undefined {
  return format === CHAT ? callIds?.chat : format === RESPONSES ? callIds?.responses : undefined;
}

/** A body that passes with ids that the vendor takes; everything else keeps its bytes. For bodies whose scan found a long id. */
export function shortenCallIds(body: Buffer, format: string, longest: number): Buffer {
  const text = body.toString('utf8');
  const ids = [...idsIn(documentOf(parseDocument(text)), format)].filter((id) => id.length > longest);
  if (ids.length === 0) return body;
  let changed = text;
  for (const id of ids)
    changed = changed.replaceAll(JSON.stringify(id), JSON.stringify(shortCallId(id, longest)));
  return Buffer.from(changed);
}

/** Ids of the calls of earlier turns, and of their results. */
function idsIn(document: Readonly<Record<string, unknown>>, format: string): ReadonlySet<string> {
  const turns = listOf(document[format === CHAT ? 'messages' : 'input']).filter(isDocument);
  const ids = turns.flatMap((turn) => [
    turn['call_id'],
    turn['tool_call_id'],
    ...listOf(turn['tool_calls']).map((call) => documentOf(call)['id']),
  ]);
  return new Set(ids.flatMap((id) => textOf(id) ?? []));
}

/** A call whose bytes pass, and the vendor it passes to. */
export interface PassedCall {
  /** The body as the caller sent it. */
  readonly document: ScannedObject;
  readonly format: string;
  readonly isStreamed: boolean;
  /** Larger of the caps the call names; undefined = none. */
  readonly outputCap: number | undefined;
  /** The model reads its cap from `max_completion_tokens` only. */
  readonly usesCompletionCap: boolean;
  readonly upstreamModel: string;
  readonly description: VendorDescription;
  readonly gateway: Pick<GatewayName, 'digestOf'>;
}

type Changes = Map<string, unknown>;

const BARE_ROUND = 'another vendor wrote the round of tools, without thoughts: this one does not think in it';

/** The round of tools that is open began without thoughts, while the call asks for some. */
const beginsBare = (document: ScannedObject): boolean =>
  isBareRound(document.scanFlags) && isThinking(documentOf(readField(document, 'thinking'))['type']);
const isThinking = (type: unknown): boolean => type === 'enabled' || type === 'adaptive';

const MESSAGES = 'anthropic-messages';
const USER_MEMBERS = ['user', 'user_id'] as const;

/**
 * The body of a call that passes as the described vendor takes it. Members are looked up by name and messages by flags of the scan: a call
 * that needs nothing keeps its buffer.
 * @param body  to be changed: the caller's bytes, or those with the changes of the format
 */
export function fitPassedBody(body: Buffer, call: PassedCall, warnings: Warning[]): Buffer {
  const { document, format, description } = call;
  let fitted = body;
  if (mayMisplaceInstructions(document, format, description.instructions)) {
    const placed = placeInstructions(fitted, format, description.instructions);
    if (placed.moved !== undefined) warnings.push({ setting: placed.moved, reason: MOVED });
    fitted = placed.body;
  }
  if (format === CHAT && description.thoughts !== undefined && mayHoldThoughts(document))
    fitted = writeThoughts(fitted, description.thoughts, description.messageMembers === undefined);
  if (format === CHAT && description.messageMembers !== undefined)
    fitted = leaveOutMembers(fitted, description.messageMembers, warnings);
  const longest = longestCallId(format, description);
  if (longest !== undefined && ((document.scanFlags ?? 0) & SCAN_FLAGS.longId) !== 0)
    fitted = shortenCallIds(fitted, format, longest);
  if (format === RESPONSES && description.itemIds !== undefined && mayHoldOtherIds(document))
    fitted = withoutOtherIds(fitted, description.itemIds);
  if (mayHoldImages(document)) {
    const { images } = description;
    if (images !== undefined) fitted = noteUnseenImages(fitted, format, images, call.upstreamModel, warnings);
    fitted = fitImageForms(fitted, format, description.knowsOriginalDetail === true, warnings);
  }
  const changes = memberChanges(call, warnings);
  if (changes.size > 0) {
    const scanned = scanObject(fitted);
    if (typeof scanned !== 'string') fitted = spliceFields(scanned, changes);
  }
  if (description.toolSchema !== undefined && document.members.has('tools'))
    fitted = fitToolSchemas(fitted, description.toolSchema);
  const isPlain =
    format === CHAT && description.chats !== undefined && !mayNeedChatRules(document, description.chats);
  if (isPlain) return fitted;
  return fitBody(fitted, { ...call, known: document }, warnings);
}

/** A translated request without the forms that its vendor refuses. */
export function fitWritten(
  written: WrittenRequest,
  format: string,
  description: VendorDescription | undefined,
  upstreamModel: string,
): WrittenRequest {
  if (description === undefined) return written;
  const warnings: Warning[] = [];
  const fitted = fitBody(written.body, { format, description, upstreamModel }, warnings);
  const { toolSchema } = description;
  const body = toolSchema === undefined ? fitted : fitToolSchemas(fitted, toolSchema);
  if (body === written.body && warnings.length === 0) return written;
  return { ...written, body, warnings: [...written.warnings, ...warnings] };
}

interface FittedCall extends Pick<PassedCall, 'format' | 'description' | 'upstreamModel'> {
  /** A scan that may be the body's. */
  readonly known?: ScannedObject;
}

/** A body, passed or written, without the forms that its vendor refuses. */
function fitBody(
  body: Buffer,
  { format, description, upstreamModel, known }: FittedCall,
  warnings: Warning[],
): Buffer {
  const { chats, messagesTools } = description;
  let fit: ((document: ScannedObject) => Buffer) | undefined;
  if (format === CHAT && chats !== undefined)
    fit = (document) => fitChatBody(document, chats, upstreamModel, warnings);
  else if (format === MESSAGES && messagesTools !== undefined)
    fit = (document) => fitMessagesTools(document, messagesTools, warnings);
  if (fit === undefined) return body;
  const document = scanBody(body, known);
  return typeof document === 'string' ? body : fit(document);
}

function memberChanges(call: PassedCall, warnings: Warning[]): Changes {
  const changes: Changes = new Map();
  const { document, format, description } = call;
  const { members } = document;
  const leaveOut = (setting: string, reason: string): void => {
    changes.set(setting, undefined);
    warnings.push({ setting, reason });
  };
  const lacksTools =
    (members.has('tool_choice') || members.has('tools')) && fitMissingTools(document, changes, warnings);
  const hasChoice = members.has('tool_choice') && !lacksTools;
  if (format === MESSAGES) {
    if (members.has('metadata')) fitMetadata(call, changes);
    if (description.refusesBareRounds === true && beginsBare(document)) {
      changes.set('thinking', NO_THINKING);
      warnings.push({ setting: 'thinking', reason: BARE_ROUND });
    }
    if (description.thinkingChoices !== undefined && hasChoice)
      fitForcedChoice(
        call,
        description.thinkingChoices,
        readField(document, 'tool_choice'),
        changes,
        warnings,
      );
    return changes;
  }
  for (const name of USER_MEMBERS) if (members.has(name)) fitUser(call, name, changes, leaveOut);
  if (description.refusesTopK === true && members.has('top_k')) leaveOut('top_k', NO_TOP_K);
  const { serviceTiers } = description;
  if (serviceTiers !== undefined && members.has('service_tier')) {
    const tier = readField(document, 'service_tier');
    if (typeof tier === 'string' && !serviceTiers.includes(tier)) leaveOut('service_tier', NO_TIER);
  }
  const choice = hasChoice ? fitAllowedTools(call, changes) : undefined;
  if (description.efforts !== undefined && members.has('reasoning'))
    fitEffort(call, description.efforts, changes, warnings);
  if (format !== CHAT) return changes;
  if (description.cap === 'max_tokens' && members.has('max_completion_tokens') && !call.usesCompletionCap) {
    changes.set('max_completion_tokens', undefined);
    if (call.outputCap !== undefined) changes.set('max_tokens', call.outputCap);
  }
  fitSwitches(call, changes, leaveOut);
  if (description.toolChoices !== undefined && choice !== undefined)
    fitToolChoice(call, description.toolChoices, choice, changes, leaveOut);
  if (description.thinkingChoices !== undefined && choice !== undefined)
    fitForcedChoice(call, description.thinkingChoices, choice, changes, warnings);
  return changes;
}

function fitEffort(
  { document, upstreamModel }: PassedCall,
  rules: EffortRules,
  changes: Changes,
  warnings: Warning[],
): void {
  const { effort, ...rest } = documentOf(readField(document, 'reasoning'));
  const word = textOf(effort);
  if (word === undefined) return;
  const isFixed = rules.fixed.test(upstreamModel);
  const nearest = isFixed ? undefined : effortWithin(word, rules);
  if (nearest === word) return;
  changes.set('reasoning', { ...(nearest === undefined ? {} : { effort: nearest }), ...rest });
  warnings.push({ setting: 'reasoning.effort', reason: OTHER_EFFORT });
}
const OTHER_EFFORT = 'this model does not know the effort';

/**
 * Vendors refuse a choice, and some an empty list, where there is no tool to choose. Functions and stored prompts may bring tools.
 * @returns true when there is none
 */
function fitMissingTools({ bytes, members }: ScannedObject, changes: Changes, warnings: Warning[]): boolean {
  const tools = members.get('tools');
  const brings = members.has('functions') || members.has('prompt');
  if (brings || (tools !== undefined && !isEmptyList(bytes, tools))) return false;
  for (const name of ['tools', 'tool_choice', 'parallel_tool_calls'])
    if (members.has(name)) changes.set(name, undefined);
  const choice = members.get('tool_choice');
  const word = choice === undefined ? '' : bytes.toString('latin1', choice.start, choice.end);
  if (/required|any|"name"/.test(word)) warnings.push({ setting: 'tool_choice', reason: NO_TOOLS });
  return true;
}
const NO_TOOLS = 'there is no tool to choose';
const isEmptyList = (bytes: Buffer, { start, end }: FieldSpan): boolean =>
  /^(?:null|\[\s*\])$/.test(bytes.toString('latin1', start, Math.min(end, start + LONGEST_EMPTY)));
const LONGEST_EMPTY = 64;

/** The choice of a tool, without a list of allowed tools where the vendor has no such list: the others are left out. */
function fitAllowedTools({ document, description }: PassedCall, changes: Changes): unknown {
  const choice = readField(document, 'tool_choice');
  const allowed = description.knowsAllowedTools === true ? undefined : allowedTools(document, choice);
  if (allowed === undefined) return choice;
  changes.set('tools', allowed.tools);
  changes.set('tool_choice', allowed.choice);
  return allowed.choice;
}

type LeaveOut = (setting: string, reason: string) => void;

function fitUser(
  { document, format, description: { user: rules }, gateway }: PassedCall,
  name: (typeof USER_MEMBERS)[number],
  changes: Changes,
  leaveOut: LeaveOut,
): void {
  const id = textOf(readField(document, name));
  if (id === undefined) return;
  if (rules === false) return leaveOut(name, NO_USER);
  const fitted = endUserId(id, rules, gateway);
  const target = format === CHAT ? (rules.member ?? name) : name;
  if (target !== name) {
    changes.set(name, undefined);
    if (!document.members.has(target)) changes.set(target, fitted);
  } else if (fitted !== id) changes.set(name, fitted);
}

/** The Messages API keeps the user one level deeper. */
function fitMetadata(
  { document, description: { user: rules }, gateway }: PassedCall,
  changes: Changes,
): void {
  const metadata = documentOf(readField(document, 'metadata'));
  const id = textOf(metadata['user_id']);
  if (id === undefined || rules === false) return;
  const fitted = endUserId(id, rules satisfies UserIdRules, gateway);
  if (fitted !== id) changes.set('metadata', { ...metadata, user_id: fitted });
}

function fitSwitches(
  { document, description, isStreamed, upstreamModel }: PassedCall,
  changes: Changes,
  leaveOut: LeaveOut,
): void {
  if (isStreamed || description.streamedSwitches === undefined) return;
  const isOff = description.thinksByDefault?.test(upstreamModel) === true;
  for (const name of description.streamedSwitches) {
    const value = readField(document, name);
    if (value === true) leaveOut(name, NOT_STREAMED);
    if (isOff && value !== false) changes.set(name, false);
  }
}

/** Types of choices that force a tool: by name in a chat, any or by name in the Messages API. */
const FORCING: ReadonlySet<unknown> = new Set(['function', 'any', 'tool']);

/** A forced choice of a tool at a model that takes none while it thinks. */
function fitForcedChoice(
  { document, upstreamModel }: PassedCall,
  rules: ThinkingChoiceRules,
  choice: unknown,
  changes: Changes,
  warnings: Warning[],
): void {
  if (choice !== 'required' && !FORCING.has(documentOf(choice)['type'])) return;
  const yielding = yieldsToForcedTool(rules, upstreamModel, readField(document, 'thinking'));
  if (yielding === 'choice') {
    changes.set('tool_choice', undefined);
    warnings.push({ setting: 'tool_choice', reason: NOT_WHILE_THINKING });
  } else if (yielding === 'thinking') {
    changes.set('thinking', NO_THINKING);
    if (document.members.has('reasoning_effort')) changes.set('reasoning_effort', undefined);
    warnings.push({ setting: 'reasoning', reason: NOT_WHILE_FORCED });
  }
}

/** Forms of a choice in a chat: a word, or an object that names a tool. */
function fitToolChoice(
  { document }: PassedCall,
  taken: NonNullable<VendorDescription['toolChoices']>,
  choice: unknown,
  changes: Changes,
  leaveOut: LeaveOut,
): void {
  const kind = typeof choice === 'string' ? choice : documentOf(choice)['type'] === 'function' ? 'named' : '';
  if (choice === null || taken.some((one) => one === kind)) return;
  if (kind === 'none') {
    changes.set('tools', undefined);
    changes.set('tool_choice', undefined);
    return;
  }
  const named = kind === 'named' ? namedTool(document, choice) : undefined;
  if (named !== undefined) changes.set('tools', named);
  leaveOut('tool_choice', NO_CHOICE);
}
