import { readField, type ScannedObject } from '../../framing/json-splice.js';
import { documentOf, listOf, textOf, type Document } from '../../formats/shared/fields/json-fields.js';

/** Name of a tool, or of an entry that refers to one, in a chat or in the Responses API. */
const nameOf = (entry: unknown): string | undefined => {
  const tool = documentOf(entry);
  return textOf(documentOf(tool['function'] ?? tool['custom'] ?? tool)['name']);
};

/**
 * The tools that a list of allowed tools leaves, and the choice that stays.
 * @returns undefined when the choice is no such list, or none of its tools is there
 */
export function allowedTools(
  document: ScannedObject,
  choice: unknown,
): { readonly tools: readonly Document[]; readonly choice: 'required' | 'auto' } | undefined {
  const value = documentOf(choice);
  if (value['type'] !== 'allowed_tools') return undefined;
  const list = value['tools'] === undefined ? documentOf(value['allowed_tools']) : value;
  const entries = listOf(list['tools']).map(documentOf);
  const names = new Set(entries.map(nameOf));
  const types = new Set(entries.filter((entry) => nameOf(entry) === undefined).map(({ type }) => type));
  const tools = listOf(readField(document, 'tools'))
    .map(documentOf)
    .filter((tool) => (nameOf(tool) === undefined ? types.has(tool['type']) : names.has(nameOf(tool))));
  if (tools.length === 0) return undefined;
  return { tools, choice: list['mode'] === 'required' ? 'required' : 'auto' };
}

/** The tool that a choice names, alone; undefined = it is not there. */
export function namedTool(document: ScannedObject, choice: unknown): readonly Document[] | undefined {
  const name = nameOf(choice);
  const tools = listOf(readField(document, 'tools'))
    .map(documentOf)
    .filter((tool) => name !== undefined && nameOf(tool) === name);
  return tools.length === 0 ? undefined : tools;
}
