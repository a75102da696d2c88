import { getOrAdd } from '../../../../common/get-or-add.js';
import { MAX_ANSWER_PARTS } from '../../contract/answer-limits.js';
import { CallPlaces } from './call-places.js';

/** One entry of `tool_calls`, as it came. */
export interface CallPiece {
  /** As they came: some bear none, or nothing that could be one. */
  readonly index: unknown;
  readonly id: unknown;
  readonly isNamed: boolean;
  readonly hasArguments: boolean;
}

/** What one choice has called so far. */
interface ChoiceCalls {
  readonly places: CallPlaces;
  /** Calls without arguments so far. */
  readonly bare: Set<number>;
}

/**
 * Which calls of a stream its pieces belong to, and which of them had no arguments so far. Clients put calls together by their index
 * and parse the arguments, which look-alikes leave out or mix up.
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
    // Told once: some vendors say twice why an answer ended.
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

  /** Of the choice that is read. */
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

  /** Whether the choice that was read called something, or ended. */
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
