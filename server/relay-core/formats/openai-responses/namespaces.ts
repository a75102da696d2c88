import { readField } from '../../framing/json-splice.js';
import { allToolsOf, mayHoldToolsItem } from '../shared/openai/additional-tools.js';
import { plainMarkOf } from '../shared/openai/agent-messages.js';
import type { ParsedCall } from '../contract/api-format.js';
import { isDocument, listOf, textOf, type Document } from '../shared/fields/json-fields.js';

/** A tool's own name and that of its namespace. */
interface PlacedName {
  readonly namespace: string;
  readonly name: string;
}

/** One name for a tool of a namespace, for formats that have no namespaces: two of them may have tools of one name. */
export const joinName = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? name : `${namespace}__${name}`;

/** Tools of a request's namespaces by their joined names; undefined = it has no namespaces. */
export function placesOf(call: ParsedCall<'chat'>): ReadonlyMap<string, PlacedName> | undefined {
  const { document } = call;
  const hasMore = mayHoldToolsItem(document.bytes);
  if (!document.members.has('tools') && !hasMore) return undefined;
  const tools = allToolsOf(readField(document, 'tools'), hasMore ? readField(document, 'input') : []);
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

/**
 * A call's name, and its namespace where it has one, as its item has them.
 * @param own  members of the item that a vendor of this API wrote: it may have sealed the arguments
 */
export function writeName(
  joined: string,
  places: ReadonlyMap<string, PlacedName> | undefined,
  own: unknown,
): Document {
  const named = { name: joined, ...places?.get(joined) };
  return own === undefined ? { ...named, ...plainMarkOf(named) } : named;
}
