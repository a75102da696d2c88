import { getOrAdd } from '../../../../common/get-or-add.js';
import { MAX_ANSWER_PARTS } from '../../contract/answer-limits.js';

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

/** One entry of `tool_calls`, as it came. */
export interface CallPiece {
  /** Ids as they came: some calls have none, or no valid one. */
  readonly index: unknown;
  readonly id: unknown;
  readonly isNamed: boolean;
  readonly hasArguments: boolean;
}

/** Calls of one choice so far. */
interface ChoiceCalls {
  readonly places: CallPlaces;
  /** Calls without arguments so far. */
  readonly bare: Set<number>;
}

/**
 * Which calls of a stream its pieces belong to, and which of them had no arguments so far. Clients put calls together by their index
 * and parse the arguments, which compatible vendors leave out or mix up.
 */
export class CallTrack {
  /** Places of the calls the entries of this event belong to, in their order, those of all choices after each other. */
  places: readonly number[] = NO_PLACES;
  private readonly choices = new Map<number, ChoiceCalls>();
  private readonly pieces: CallPiece[] = [];
  private isOver = false;
  /** Calls and choices with calls so far, of all choices together. */
  private known = 0;
  /** Choices that end with this event. */
  private readonly over: number[] = [];

  /** Calls that end here without arguments, by their choice. */
  get endsBare(): ReadonlyMap<number, readonly number[]> {
    if (this.over.length === 0 || this.choices.size === 0) return NONE;
    const ends = this.over.map((choice) => [choice, [...(this.choices.get(choice)?.bare ?? [])]] as const);
    return new Map(ends.filter(([, bare]) => bare.length > 0));
  }

  beginEvent(): void {
    // Emitted once: some vendors repeat the finish reason.
    if (this.over.length > 0) {
      for (const choice of this.over) this.choices.get(choice)?.bare.clear();
      this.over.length = 0;
    }
    this.places = NO_PLACES;
  }

  /** An event of the same frame as one before: it brought arguments. @param places  of that one */
  repeatEvent(places: readonly number[]): void {
    this.places = places;
    for (const { bare } of this.choices.values()) for (const place of places) bare.delete(place);
  }

  /** Track of the current choice. */
  add(piece: CallPiece): void {
    this.pieces.push(piece);
  }

  /** More calls than any answer has: to place them on would only take time. */
  get hasTooMany(): boolean {
    return this.known + this.pieces.length > MAX_ANSWER_PARTS;
  }

  end(): void {
    this.isOver = true;
  }

  /** Returns true when the current choice called a tool, or ended. */
  get hasNews(): boolean {
    return this.isOver || this.pieces.length > 0;
  }

  /** @param choice  its index, which may stand behind its calls. @returns whether every piece bears the index of its call */
  endChoice(choice: number): boolean {
    let isRight = true;
    if (this.pieces.length > 0) {
      const calls = this.callsOf(choice);
      const before = calls.places.count;
      const places = this.pieces.map((piece) => place(calls, piece));
      this.known += calls.places.count - before;
      isRight = places.every((at, entry) => this.pieces[entry]?.index === at);
      this.places = this.places.length === 0 ? places : [...this.places, ...places];
      this.pieces.length = 0;
    }
    if (this.isOver) this.over.push(choice);
    this.isOver = false;
    return isRight;
  }

  private callsOf(choice: number): ChoiceCalls {
    return getOrAdd(this.choices, choice, () => {
      this.known += 1;
      return { places: new CallPlaces(), bare: new Set<number>() };
    });
  }
}

function place({ places, bare }: ChoiceCalls, { index, id, isNamed, hasArguments }: CallPiece): number {
  const at = places.placeOf(index, id, isNamed);
  if (hasArguments) bare.delete(at);
  else if (isNamed) bare.add(at);
  return at;
}

const NO_PLACES: readonly number[] = Object.freeze([]);
const NONE: ReadonlyMap<number, readonly number[]> = new Map();
