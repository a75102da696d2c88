import type { ChatRequest } from '../../../model/chat.js';
import type { Tool, ToolChoice } from '../../../model/tool.js';
import type { Warning } from '../../../model/warning.js';
import { otherFormatValue } from '../fields/dropped-fields.js';
import { documentOf, textOf, type Document } from '../fields/json-fields.js';

/**
 * Which tools may be called, as any client API writes it: a word, or an object with the word as its type, or the name of
 * one tool. Each API's clients send the others' forms too. Undefined = a form of one vendor's own.
 */
export function readAnyToolChoice(choice: unknown): ToolChoice | undefined {
  const document = documentOf(choice);
  const type = typeof choice === 'string' ? choice : textOf(document['type']);
  if (type === 'none' || type === 'auto' || type === 'required') return { type };
  if (type === 'any') return { type: 'required' };
  const name =
    textOf(documentOf(document['function'])['name']) ??
    textOf(documentOf(document['custom'])['name']) ??
    textOf(documentOf(document['tool'])['name']) ??
    (type === undefined || NAMED.has(type) ? textOf(document['name']) : undefined);
  return name === undefined ? undefined : { type: 'named', name };
}

const NAMED: ReadonlySet<string> = new Set(['function', 'custom', 'tool']);

/**
 * The tool choice of a request for an upstream of one of OpenAI's formats, which differ in the form of two of them.
 * @param named        the choice of one tool
 * @param readAllowed  the other format's list of allowed tools in this format's form; undefined = it is none
 */
export function writeOpenaiToolChoice(
  { toolChoice: choice, tools }: Pick<ChatRequest, 'toolChoice' | 'tools'>,
  apiFormat: string,
  forms: {
    readonly named: (type: 'function' | 'custom', name: string) => Document;
    readonly readAllowed: (value: unknown) => Document | undefined;
  },
  warnings: Warning[],
): unknown {
  if (choice === undefined) return undefined;
  if (choice.type === 'named') {
    const isNamed = (tool: Tool): boolean =>
      tool.type === 'function' && tool.name === choice.name && tool.isFreeform === true;
    return forms.named(tools?.some(isNamed) === true ? 'custom' : 'function', choice.name);
  }
  if (choice.type !== 'vendor') return choice.type;
  if (choice.apiFormat === apiFormat) return choice.value;
  const allowed = forms.readAllowed(choice.value);
  if (allowed === undefined) warnings.push(otherFormatValue('tool_choice', 'choice', choice));
  return allowed;
}

/** Anthropic's form carries "one call at a time" inside the choice. */
export const forbidsParallel = (choice: unknown): false | undefined =>
  documentOf(choice)['disable_parallel_tool_use'] === true ? false : undefined;
