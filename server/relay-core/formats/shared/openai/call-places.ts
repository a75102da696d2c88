/**
 * Which call of an answer a piece of a stream belongs to. Vendors leave the index out, give every call the same one, or count on with
 * each piece: a new id is a new call, and a piece with neither an id nor a name goes on with a call that began.
 */
export class CallPlaces {
  /** Ids of the calls, by their place; empty while a call has none. */
  private readonly ids: string[] = [];
  private readonly byId = new Map<string, number>();
  /** The call an index of the vendor's meant last. */
  private readonly byIndex = new Map<number, number>();
  private last = 0;

  get count(): number {
    return this.ids.length;
  }

  /** @param index  as it came, like `id`: anything may stand there. @returns the place of its call, counted from 0 */
  placeOf(index: unknown, id: unknown, isNamed: boolean): number {
    const told = typeof id === 'string' ? id : '';
    const place =
      typeof index === 'number' ? this.placeAt(index, told, isNamed) : this.placeWith(told, isNamed);
    if (told !== '' && (this.ids[place] ?? '') === '') {
      this.ids[place] = told;
      if (!this.byId.has(told)) this.byId.set(told, place);
    } else this.ids[place] ??= '';
    if (typeof index === 'number') this.byIndex.set(index, place);
    this.last = place;
    return place;
  }

  private placeAt(index: number, id: string, isNamed: boolean): number {
    const meant = this.byIndex.get(index);
    // Some repeat an id: an index of its own and a name make another call of it.
    if (meant === undefined) return isNamed ? this.ids.length : this.placeWith(id, false);
    const known = this.ids[meant] ?? '';
    return id === '' || known === '' || id === known ? meant : this.placeWith(id, isNamed);
  }

  private placeWith(id: string, isNamed: boolean): number {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    return id !== '' || isNamed || this.ids.length === 0 ? this.ids.length : this.last;
  }
}
