import type { Message } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import { given } from '../../formats/shared/fields/json-fields.js';
import type { InstructionRules } from '../../model/vendor-description.js';

/** Between the texts of two instructions. */
export const BLANK_LINE = '\n\n';

type Instruction = Exclude<Message, { role: 'tool' }>;

const isInstruction = (message: Message): message is Instruction =>
  message.role === 'system' || message.role === 'developer';

/** Messages with their instructions as the vendor takes them, and whether any of them left its place between turns. */
export function joinInstructions(
  messages: readonly Message[],
  { developer, place }: InstructionRules,
): { readonly messages: readonly Message[]; readonly isMoved: boolean } {
  if (place === 'anywhere')
    return { messages: developer ? messages : messages.map(asSystem), isMoved: false };
  const instructions = messages.filter(isInstruction);
  const [first] = instructions;
  if (first === undefined) return { messages, isMoved: false };
  if (instructions.length === 1 && messages[0] === first)
    return { messages: developer ? messages : messages.map(asSystem), isMoved: false };
  const marked = instructions.find(({ vendorOptions }) => vendorOptions !== undefined);
  const head: Message = {
    role: 'system',
    content: joined(instructions),
    ...given('vendorOptions', marked?.vendorOptions),
  };
  const isMoved =
    messages.findIndex((message) => !isInstruction(message)) < messages.findLastIndex(isInstruction);
  return { messages: [head, ...messages.filter((message) => !isInstruction(message))], isMoved };
}

const asSystem = (message: Message): Message =>
  message.role === 'developer' ? { ...message, role: 'system' } : message;

/** One text where all are plain; else their parts, so that marks of the cache stay at their texts. */
function joined(instructions: readonly Instruction[]): readonly ContentPart[] {
  const filled = instructions.filter(({ content }) => content.length > 0);
  const texts = filled.flatMap(({ content }) => (content.length === 1 ? content : []));
  if (texts.length === filled.length && texts.every(isPlainText))
    return [{ type: 'text', text: texts.map(({ text }) => text).join(BLANK_LINE) }];
  return filled.flatMap(({ content }, index) => (index === 0 ? content : afterBlankLine(content)));
}

type Text = Extract<ContentPart, { type: 'text' }>;

const isPlainText = (part: ContentPart): part is Text =>
  part.type === 'text' && part.cache === undefined && part.vendorOptions === undefined;

/** In front of the later text: the earlier one stays the same prefix for the cache of the vendor. */
function afterBlankLine([first, ...rest]: readonly ContentPart[]): readonly ContentPart[] {
  if (first === undefined) return rest;
  return [first.type === 'text' ? { ...first, text: `${BLANK_LINE}${first.text}` } : first, ...rest];
}
