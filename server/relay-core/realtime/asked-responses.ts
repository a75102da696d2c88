import type { Usage } from '../model/usage.js';
import type { OwnSetUp } from './conversation.js';

/** A response that the client requested. */
export interface AskedResponse {
  /** Id the client gave its event; undefined = none. */
  readonly eventId: string | undefined;
  /** Most output tokens of the request; null = expressly no cap, undefined = as the session. */
  readonly cap: number | null | undefined;
  /** Bytes a second of its sound, where it names a format of its own. */
  readonly spokenBytesPerSecond: number | undefined;
  /** Its answer does not become part of the conversation. */
  readonly isApart: boolean;
  /** Instructions and tools of its own. */
  readonly setUp: OwnSetUp;
  /** It reads the conversation as that is when it begins. */
  readonly readsConversation: boolean;
  /** Images and bytes of PCM of what it reads beside or in place of the conversation. */
  readonly own: { readonly images: number; readonly heardBytes: number };
  /** Input by our own count at the time of the request. */
  readonly input: Usage['input'];
}

/** Most output tokens of a response: of its request, else of the session; undefined = no cap. */
export const capSentFor = (
  asked: AskedResponse | undefined,
  sessionCap: number | undefined,
): number | undefined => (asked?.cap === undefined ? sessionCap : (asked.cap ?? undefined));

/** Requests that are remembered after the vendor refused one: it may begin all the same. */
const MAX_WITHDRAWN = 64;

/** Requested responses that have not begun, in order: vendors begin them in that order. */
export class AskedResponses {
  private waiting: AskedResponse[] = [];
  private withdrawn: AskedResponse[] = [];

  /** Those the vendor has not refused. */
  get all(): readonly AskedResponse[] {
    return this.waiting;
  }

  add(asked: AskedResponse): void {
    this.waiting.push(asked);
  }

  /**
   * One begins.
   * @param isTurn  a turn waits for its answer: no request that the vendor refused is the reason
   * @returns the request behind it; undefined = the client sent none
   */
  begin(isTurn: boolean): AskedResponse | undefined {
    return this.waiting.shift() ?? (isTurn ? undefined : this.withdrawn.shift());
  }

  /** The vendor refused an event. @param eventId  which one, by the client's id; undefined = not named */
  withdraw(eventId: string | undefined): void {
    const at = this.waiting.findIndex((asked) => asked.eventId === eventId);
    const [refused] = at === -1 ? [] : this.waiting.splice(at, 1);
    if (refused === undefined) return;
    this.withdrawn.push(refused);
    if (this.withdrawn.length > MAX_WITHDRAWN) this.withdrawn.shift();
  }

  /** The vendor is gone: nothing of them was delivered. */
  drop(): void {
    this.waiting = [];
  }
}
