import type { VendorOptions } from './vendor-options.js';

/** A file by address, or as its bytes in base64. Addresses are passed on, never fetched (RLY-05). */
export type MediaSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'base64'; readonly base64: string; readonly mediaType: string | undefined }
  | { readonly kind: 'vendor-file'; readonly fileId: string };

/** One piece of a message. A message is a list of them, in order. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string; readonly vendorOptions?: VendorOptions }
  | { readonly type: 'reasoning'; readonly text: string; readonly vendorOptions?: VendorOptions }
  | { readonly type: 'refusal'; readonly text: string; readonly vendorOptions?: VendorOptions }
  | {
      readonly type: 'image' | 'audio' | 'video' | 'file';
      readonly source: MediaSource;
      readonly fileName?: string;
      /** Vendor's word for how closely a picture is looked at. */
      readonly detail?: string;
      readonly vendorOptions?: VendorOptions;
    }
  | {
      readonly type: 'tool-call';
      readonly callId: string;
      readonly name: string;
      /** Arguments as the model wrote them: JSON text, not always valid. */
      readonly json: string;
      /** Free-form input instead of JSON arguments. */
      readonly isFreeform?: boolean;
      readonly vendorOptions?: VendorOptions;
    }
  /** A part of a kind only one wire knows; it survives on that wire. */
  | { readonly type: 'vendor'; readonly wire: string; readonly value: unknown };
