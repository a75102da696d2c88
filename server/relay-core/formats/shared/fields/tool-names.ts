import { createHash } from 'node:crypto';
import type { ChatReply, ChatRequest, Message } from '../../../model/chat.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import type { Tool, ToolChoice } from '../../../model/tool.js';
import { isDocument } from './json-fields.js';

/** Form of tool names that the vendors of a format take. */
export interface ToolNameRule {
  readonly longest: number;
  /** Characters that may stand in it, for a class of a regular expression. */
  readonly characters: string;
  /** It begins with a letter or an underscore. */
  readonly beginsWithLetter?: true;
}

/** Form that most vendors take. */
export const USUAL_TOOL_NAMES: ToolNameRule = { longest: 64, characters: 'A-Za-z0-9_-' };

/** Names by names, one way or the other. */
export type ToolNames = ReadonlyMap<string, string>;

/** Hexadecimal digits that distinguish names whose beginnings are alike. */
const MARK_LENGTH = 10;

/**
 * The vendor's names for those of a request it would refuse: as much of the name as it takes, and a mark made from all of it. The same
 * name is the same one in every call, whatever stands beside it; names that are taken as they are stay. Undefined = all of them stay.
 * @param reserved  names of the vendor's own tools
 */
export function vendorToolNames(
  request: ChatRequest,
  rule: ToolNameRule,
  reserved: ReadonlySet<string> = NONE,
): ToolNames | undefined {
  const names = namesIn(request);
  if (names.size === 0) return undefined;
  const legal = patternOf(rule);
  const isTaken = (name: string): boolean => legal.test(name) && !reserved.has(name);
  let renamed: Map<string, string> | undefined;
  for (const name of names) {
    if (name === '' || isTaken(name)) continue;
    renamed ??= new Map();
    const used = new Set(renamed.values());
    let round = 0;
    let short = shortened(name, rule, round);
    // A caller may have a tool of exactly that name.
    while (names.has(short) || used.has(short)) short = shortened(name, rule, (round += 1));
    renamed.set(name, short);
  }
  return renamed;
}

const NONE: ReadonlySet<string> = new Set();

/** The caller's name for each of the vendor's. */
export const callersToolNames = (renamed: ToolNames): ToolNames =>
  new Map([...renamed].map(([callers, vendors]) => [vendors, callers]));

const PATTERNS = new WeakMap<ToolNameRule, RegExp>();

/** The pattern of legal names, compiled once for each rule. */
function patternOf(rule: ToolNameRule): RegExp {
  let pattern = PATTERNS.get(rule);
  if (pattern === undefined) {
    const { longest, characters, beginsWithLetter } = rule;
    pattern = new RegExp(
      `^${beginsWithLetter === true ? '(?=[A-Za-z_])' : ''}[${characters}]{1,${longest}}$`,
    );
    PATTERNS.set(rule, pattern);
  }
  return pattern;
}

function shortened(name: string, rule: ToolNameRule, round: number): string {
  const mark = createHash('sha256')
    .update(round === 0 ? name : `${round} ${name}`)
    .digest('hex')
    .slice(0, MARK_LENGTH);
  const plain = name.replace(new RegExp(`[^${rule.characters}]`, 'gu'), '_');
  const begun = rule.beginsWithLetter === true && !/^[A-Za-z_]/.test(plain) ? `_${plain}` : plain;
  return `${begun.slice(0, rule.longest - MARK_LENGTH - 1)}_${mark}`;
}

function namesIn({ tools = [], toolChoice, messages }: ChatRequest): ReadonlySet<string> {
  const names = new Set<string>();
  for (const tool of tools) if (tool.type === 'function') names.add(tool.name);
  if (toolChoice?.type === 'named') names.add(toolChoice.name);
  for (const message of messages) {
    if (message.role === 'tool' && message.name !== undefined) names.add(message.name);
    for (const part of message.content) if (part.type === 'tool-call') names.add(part.name);
  }
  return names;
}

/** The request with the vendor's names in the place of the caller's: in its tools, in what may be called, and in earlier turns. */
export function withToolNames(request: ChatRequest, names: ToolNames): ChatRequest {
  const { tools, toolChoice } = request;
  return {
    ...request,
    messages: request.messages.map((message) => messageWith(message, names)),
    ...(tools === undefined ? {} : { tools: tools.map((tool) => toolWith(tool, names)) }),
    ...(toolChoice === undefined ? {} : { toolChoice: choiceWith(toolChoice, names) }),
  };
}

const toolWith = (tool: Tool, names: ToolNames): Tool =>
  tool.type === 'function' ? { ...tool, name: names.get(tool.name) ?? tool.name } : tool;

function choiceWith(choice: ToolChoice, names: ToolNames): ToolChoice {
  if (choice.type === 'named') return { ...choice, name: names.get(choice.name) ?? choice.name };
  return choice.type === 'vendor' ? { ...choice, value: renamedIn(choice.value, names) } : choice;
}

function messageWith(message: Message, names: ToolNames): Message {
  const content = message.content.map((part) =>
    part.type === 'tool-call' ? { ...part, name: names.get(part.name) ?? part.name } : part,
  );
  if (message.role !== 'tool' || message.name === undefined) return { ...message, content };
  return { ...message, content, name: names.get(message.name) ?? message.name };
}

/** A list of tools that may be called, in whatever form the caller's API has it. */
function renamedIn(value: unknown, names: ToolNames): unknown {
  if (Array.isArray(value))
    return value.map((one) => (typeof one === 'string' ? (names.get(one) ?? one) : renamedIn(one, names)));
  if (!isDocument(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [
      member,
      member === 'name' && typeof inner === 'string' ? (names.get(inner) ?? inner) : renamedIn(inner, names),
    ]),
  );
}

/** A whole answer with the caller's own names. */
export function withCallersNames(reply: ChatReply, names: ToolNames): ChatReply {
  const choices = reply.choices.map((choice) => ({
    ...choice,
    content: choice.content.map((part) =>
      part.type === 'tool-call' ? { ...part, name: names.get(part.name) ?? part.name } : part,
    ),
  }));
  return { ...reply, choices };
}

/** The same for a stream. */
export const callersNamesAdapter =
  (names: ToolNames) =>
  (event: StreamEvent): readonly StreamEvent[] =>
    event.type === 'tool-input-start' ? [{ ...event, name: names.get(event.name) ?? event.name }] : [event];
