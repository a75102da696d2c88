import type { VendorOptions } from './vendor-options.js';

/** A file by address, or as its bytes in base64. Addresses are passed on; fetched only where a vendor needs the bytes. */
export type MediaSource =
  | { readonly kind: 'url'; readonly url: string; readonly mediaType?: string }
  | { readonly kind: 'base64'; readonly base64: string; readonly mediaType: string | undefined }
  | { readonly kind: 'vendor-file'; readonly fileId: string };

export type MediaKind = 'image' | 'audio' | 'video' | 'file';

/**
 * Signature or seal of a vendor on a piece it wrote itself (Anthropic's thinking signature, Gemini's thought signature, OpenAI's
 * encrypted reasoning). It must come back unchanged with the piece in the next turn, to the same family only: formats of another
 * family drop it silently, since no client can use it there.
 */
export interface ThoughtSignature {
  readonly by: 'anthropic' | 'google' | 'openai';
  readonly data: string;
  /** The vendor's id of the piece, where the signature belongs to it (Responses: `rs_…`). */
  readonly id?: string;
}

/** End of a cached prompt prefix, for vendors with explicit marks. */
export interface CacheMark {
  readonly ttl: '5m' | '1h' | undefined;
}

interface PartExtras {
  readonly signature?: ThoughtSignature;
  readonly cache?: CacheMark;
  readonly vendorOptions?: VendorOptions;
}

/** One piece of a message. A message is a list of them, in order. */
export type ContentPart =
  | ({ readonly type: 'text'; readonly text: string } & PartExtras)
  | ({
      readonly type: 'reasoning';
      /** Empty when the vendor hides it; the signature then stands for it. */
      readonly text: string;
      /** The vendor withheld the text for safety; only the signature exists. */
      readonly isRedacted?: boolean;
    } & PartExtras)
  | ({ readonly type: 'refusal'; readonly text: string } & PartExtras)
  | ({
      readonly type: MediaKind;
      readonly source: MediaSource;
      readonly fileName?: string;
      /** Vendor's word for the resolution of an image input. */
      readonly detail?: string;
      /** Transcript of an audio answer. */
      readonly transcript?: string;
    } & PartExtras)
  | ({
      readonly type: 'tool-call';
      readonly callId: string;
      readonly name: string;
      /** Arguments as the model wrote them: JSON text, not always valid. */
      readonly json: string;
      /** Free-form input instead of JSON arguments. */
      readonly isFreeform?: boolean;
    } & PartExtras)
  /** A place the answer rests on. */
  | ({ readonly type: 'source'; readonly source: Source } & PartExtras)
  /** A part of a kind only one format knows; it survives on that format. */
  | {
      readonly type: 'vendor';
      readonly apiFormat: string;
      readonly value: unknown;
      /** Its place in the caller's body, when it is content that no other format could be given. */
      readonly path?: string;
    };

/** A citation. */
export interface Source {
  readonly url?: string;
  readonly title?: string;
  /** Id of a cited document without an address, as its vendor or the caller named it. */
  readonly documentId?: string;
  /** Words of the source that were used. */
  readonly quote?: string;
  /** Characters of the answer's text block it stands for: from, to (exclusive). */
  readonly start?: number;
  readonly end?: number;
  /** The vendor's own citation, for the same format. */
  readonly vendorOptions?: VendorOptions;
}
