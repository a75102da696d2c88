import { documentOf, numberOf, textOf, type Document } from '../shared/fields/json-fields.js';

/** Places of the items of a streamed response. */
export class ItemPlaces {
  private readonly places = new Map<string, number>();
  /** Output places of events without `output_index`. */
  private nextPlace = -1;

  /**
   * The place of an event's item. Servers that leave it out (llama.cpp, lemonade) name the item by its id or the call's, and some not even
   * that: then it is the oldest open item of a fitting kind.
   */
  of(type: string, document: Document, open: ReadonlyMap<number, { readonly type: string }>): number {
    const told = numberOf(document['output_index']);
    if (told !== undefined) return told;
    const item = documentOf(document['item']);
    const ids = [document['item_id'], item['id'], item['call_id']].flatMap((id) => textOf(id) ?? []);
    const known = ids.map((id) => this.places.get(id)).find((place) => place !== undefined);
    if (known !== undefined) return known;
    if (type === 'response.output_item.added') return this.placeFor(ids);
    const fits = kindOf(type, textOf(item['type']));
    const fitting = [...open].find(([, { type: kind }]) => fits(kind));
    return fitting?.[0] ?? (type === 'response.output_item.done' ? this.placeFor(ids) : 0);
  }

  private placeFor(ids: readonly string[]): number {
    const place = this.nextPlace--;
    for (const id of ids) this.places.set(id, place);
    return place;
  }
}

/** Which kinds of items an event may belong to. */
function kindOf(event: string, itemType: string | undefined): (kind: string) => boolean {
  if (itemType !== undefined) return (kind) => kind === itemType;
  if (/function_call|custom_tool_call/.test(event))
    return (kind) => kind === 'function_call' || kind === 'custom_tool_call';
  return (kind) => kind === (event.includes('reasoning') ? 'reasoning' : 'message');
}
