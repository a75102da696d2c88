import { createHash } from 'node:crypto';

/** An imported key that a text names. */
export interface ImportedCredential {
  /** Look-up digest of the token. */
  readonly digest: string;
  /** Channel here that the call is pinned to; null = none. */
  readonly channelId: number | null;
  /** Channel of the old installation that the text names and that was not imported; null = none. */
  readonly missingChannel: number | null;
}

/** Imported tokens and channels. */
export interface ImportedFacts {
  /** Look-up digests of tokens, each with its import. */
  readonly tokens: readonly { readonly digest: string; readonly importId: number }[];
  /** Numbers of channels there and here, by import. */
  readonly channels: readonly { readonly importId: number; readonly from: string; readonly to: number }[];
}

const MAX_LENGTH = 142;
const WITH_CHANNEL = /^(.+)-([1-9]\d{0,9})$/s;
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * Finds the imported key that a text names, without a look at the database: keys of other gateways have no checksum by
 * which a made-up one is refused. Empty where nothing was imported.
 */
export class ImportedKeyFilter {
  private readonly imports: ReadonlyMap<string, number>;
  private readonly channels: ReadonlyMap<string, number>;

  constructor({ tokens, channels }: ImportedFacts = { tokens: [], channels: [] }) {
    this.imports = new Map(tokens.map(({ digest, importId }) => [digest, importId]));
    this.channels = new Map(channels.map(({ importId, from, to }) => [`${importId}:${from}`, to]));
  }

  /**
   * The whole text first, then without its `-ID`, which is a number of the old installation.
   * @param digestOf  look-up digest of a key's text
   * @param hashedText  text that a key known by its SHA-256 is looked up by
   */
  find(
    text: string,
    digestOf: (key: string) => string,
    hashedText: (sha256: string) => string,
  ): ImportedCredential | null {
    if (this.imports.size === 0 || text.length > MAX_LENGTH || !PRINTABLE.test(text)) return null;
    const whole = this.match(text, digestOf, hashedText);
    if (whole !== null) return { digest: whole, channelId: null, missingChannel: null };
    const [, key, number] = WITH_CHANNEL.exec(text) ?? [];
    if (key === undefined || number === undefined) return null;
    const digest = this.match(key, digestOf, hashedText);
    if (digest === null) return null;
    const channelId = this.channels.get(`${this.imports.get(digest) ?? 0}:${number}`) ?? null;
    return { digest, channelId, missingChannel: channelId === null ? Number(number) : null };
  }

  private match(
    text: string,
    digestOf: (key: string) => string,
    hashedText: (sha256: string) => string,
  ): string | null {
    const plain = digestOf(text.startsWith('sk-') ? text.slice(3) : text);
    if (this.imports.has(plain)) return plain;
    const hashed = digestOf(hashedText(createHash('sha256').update(text).digest('hex')));
    return this.imports.has(hashed) ? hashed : null;
  }
}
