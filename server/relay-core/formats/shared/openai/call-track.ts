/** One entry of `tool_calls`, as it came. */
export interface CallPiece {
  /** As they came: some bear none, or nothing that could be one. */
  readonly index: unknown;
  readonly id: unknown;
  readonly isNamed: boolean;
  readonly hasArguments: boolean;
}

/**
 * Which calls of a stream its pieces belong to, and which of them had no arguments so far. Look-alikes leave `index` out, or arguments;
 * clients put calls together by the one and parse the other.
 */
export class CallTrack {
  /** Calls the entries of this event belong to, in their order. */
  indexes: number[] = [];
  private readonly ids = new Map<number, string>();
  private readonly bare = new Set<number>();
  private isOver = false;

  /** Calls that end here without arguments. */
  get endsBare(): readonly number[] {
    return this.isOver ? [...this.bare] : [];
  }

  beginEvent(): void {
    // Told once: some vendors say twice why an answer ended.
    if (this.isOver) this.bare.clear();
    this.isOver = false;
    if (this.indexes.length > 0) this.indexes = [];
  }

  /** An event of the same frame as one before: it brought arguments. */
  repeatEvent(): void {
    for (const index of this.indexes) this.bare.delete(index);
  }

  add({ index, id, isNamed, hasArguments }: CallPiece): void {
    const name = typeof id === 'string' ? id : '';
    const at = typeof index === 'number' ? index : this.placeOf(name, isNamed);
    if (!this.ids.has(at)) this.ids.set(at, name);
    this.indexes.push(at);
    if (hasArguments) this.bare.delete(at);
    else if (isNamed) this.bare.add(at);
  }

  end(): void {
    this.isOver = true;
  }

  private placeOf(id: string, isNamed: boolean): number {
    const known = id === '' ? undefined : [...this.ids].find(([, other]) => other === id);
    if (known !== undefined) return known[0];
    return id !== '' || isNamed ? this.ids.size : Math.max(0, this.ids.size - 1);
  }
}
