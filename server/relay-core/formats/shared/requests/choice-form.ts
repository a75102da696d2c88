import type { ToolChoice } from '../../../model/tool.js';
import { documentOf, textOf } from '../fields/json-fields.js';

/**
 * Which tools may be called, as any client API writes it: a word, or an object with the word as its type, or the name of
 * one tool. Each API's clients send the others' forms too. Undefined = a form of one vendor's own.
 */
export function readChoiceForm(choice: unknown): ToolChoice | undefined {
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

/** Anthropic's form says with the choice that calls come one at a time. */
export const forbidsParallel = (choice: unknown): false | undefined =>
  documentOf(choice)['disable_parallel_tool_use'] === true ? false : undefined;
