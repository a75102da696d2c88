import { readField } from '../../framing/json-splice.js';
import type { ParsedCall } from '../contract/api-format.js';
import { documentOf, isDocument, listOf, textOf, type Document } from '../shared/fields/json-fields.js';

/** What a tool is called by where it stands: its own name, and its namespace's. */
interface PlacedName {
  readonly namespace: string;
  readonly name: string;
}

/** One name for a tool of a namespace, for formats that have no namespaces: two of them may have tools of one name. */
export const joinName = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? name : `${namespace}__${name}`;

/** Where the tools of a request's namespaces stand, by their joined names; undefined = it has none. */
export function placesOf(call: ParsedCall<'chat'>): ReadonlyMap<string, PlacedName> | undefined {
  if (!call.document.members.has('tools')) return undefined;
  const tools = listOf(readField(call.document, 'tools')).map(documentOf);
  const places = new Map<string, PlacedName>();
  for (const tool of tools) {
    const namespace = textOf(tool['name']);
    if (tool['type'] !== 'namespace' || namespace === undefined) continue;
    for (const inner of listOf(tool['tools'])) {
      const name = isDocument(inner) ? textOf(inner['name']) : undefined;
      if (name !== undefined) places.set(joinName(namespace, name), { namespace, name });
    }
  }
  return places.size === 0 ? undefined : places;
}

/** A call's name, and its namespace where it has one, as its item has them. */
export const writeName = (joined: string, places: ReadonlyMap<string, PlacedName> | undefined): Document => ({
  name: joined,
  ...places?.get(joined),
});
