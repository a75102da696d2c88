import { isTokenKey, TOKEN_KEY_LENGTH } from './token-key.js';

/** What a client's key text says. */
export interface Credential {
  readonly key: string;
  /** Channel the call is pinned to by the `-ID` suffix; null = none. */
  readonly channelId: number | null;
}

const MAX_LENGTH = 128;
/** Optional prefix, then the key, then an optional channel id. Keys never contain a hyphen. */
const FORM = /^(?:sk-)?([0-9A-Za-z]{16,128})(?:-([1-9][0-9]{0,9}))?$/;
const MAX_CHANNEL_ID = 2_147_483_647;

/**
 * Reads the text of a key: one strict pattern, nothing trimmed, case kept.
 * A text of the length of our own keys must carry their checksum: a made-up key is refused without a look at the
 * database. Keys of other lengths may come from an older installation and are looked up.
 * @param text  the credential without scheme, e.g. `sk-…` or `…-7`
 * @returns null when it cannot be a key
 */
export function parseCredential(text: string): Credential | null {
  if (text.length > MAX_LENGTH) return null;
  const match = FORM.exec(text);
  if (match === null) return null;
  const [, key = '', suffix] = match;
  if (key.length === TOKEN_KEY_LENGTH && !isTokenKey(key)) return null;
  const channelId = suffix === undefined ? null : Number(suffix);
  if (channelId !== null && channelId > MAX_CHANNEL_ID) return null;
  return { key, channelId };
}
