import { getOrAdd } from '../../common/get-or-add.js';
import { type EncodedParts, encodeParts } from './script-command.js';
import type { HoldRequest } from './shared-store.js';

/** Arguments that the holds of one caller share. */
export interface CallerArguments {
  readonly firstKey: string;
  readonly keys: EncodedParts;
  /** Token and owner. */
  readonly args: EncodedParts;
  readonly owner: string;
}

export interface WindowArguments {
  readonly keys: EncodedParts;
  /** Number of windows, then limit, length and mode of each. */
  readonly args: EncodedParts;
}

/** Names of keys, as the pools have them. */
export interface KeyNames {
  poolKey(pool: { readonly userId: number; readonly tokenId: number | null }): string;
  registryKey(userId: number): string;
  windowKey(key: string): string;
}

const MAX_CALLERS = 10_000;
const NO_WINDOWS: WindowArguments = { keys: { text: '', count: 0 }, args: encodeParts([0]) };

/** The unchanging parts of holds, written out once for all calls of a caller. */
export class HoldArguments {
  /** User → token → text; token 0 = none of its own. */
  private readonly callers = new Map<number, Map<number, CallerArguments>>();
  private known = 0;
  /** Callers share the list of their windows from call to call. */
  private readonly windows = new WeakMap<HoldRequest['windows'], WindowArguments>();

  constructor(private readonly names: KeyNames) {}

  ofCaller(request: HoldRequest): CallerArguments {
    const { userId, tokenId, owner } = request;
    let ofUser = this.callers.get(userId);
    const text = ofUser?.get(tokenId ?? 0);
    if (text !== undefined && text.owner === owner) return text;
    if (this.known >= MAX_CALLERS) {
      this.callers.clear();
      this.known = 0;
      ofUser = undefined;
    }
    if (ofUser === undefined) this.callers.set(userId, (ofUser = new Map()));
    const fresh = this.write(request);
    ofUser.set(tokenId ?? 0, fresh);
    this.known += 1;
    return fresh;
  }

  ofWindows(windows: HoldRequest['windows']): WindowArguments {
    if (windows.length === 0) return NO_WINDOWS;
    const text = getOrAdd(this.windows, windows, () => {
      const keys = windows.map(({ key }) => this.names.windowKey(key));
      const args = windows.flatMap(({ limit, windowMs, mode }) => [limit, windowMs, mode]);
      return { keys: encodeParts(keys), args: encodeParts([windows.length, ...args]) };
    });
    return text;
  }

  private write({ userId, tokenId, owner }: HoldRequest): CallerArguments {
    const user = this.names.poolKey({ userId, tokenId: null });
    const token = tokenId === null ? user : this.names.poolKey({ userId, tokenId });
    return {
      firstKey: user,
      keys: encodeParts([user, this.names.registryKey(userId), token]),
      args: encodeParts([tokenId ?? '', owner]),
      owner,
    };
  }
}
