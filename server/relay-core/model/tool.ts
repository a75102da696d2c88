import type { CacheMark } from './content.js';
import type { VendorOptions } from './vendor-options.js';

/** Something the model may call. */
export type Tool =
  | {
      readonly type: 'function';
      readonly name: string;
      readonly description?: string;
      /** JSON schema of the arguments; undefined = none. */
      readonly parameters?: unknown;
      readonly isStrict?: boolean;
      /**
       * The model writes plain text instead of JSON arguments (OpenAI's custom tools). `parameters` then holds the form
       * that stands in for it on formats without such tools: one text named `input`.
       */
      readonly isFreeform?: true;
      readonly cache?: CacheMark;
      readonly vendorOptions?: VendorOptions;
    }
  /** A web search the vendor runs itself; every family has one. */
  | {
      readonly type: 'web-search';
      /** Vendor-neutral word for how much is read: low, medium, high. */
      readonly contextSize?: string;
      readonly maxUses?: number;
      readonly allowedDomains?: readonly string[];
      readonly blockedDomains?: readonly string[];
      readonly location?: Readonly<Partial<Record<'country' | 'region' | 'city' | 'timezone', string>>>;
      readonly vendorOptions?: VendorOptions;
    }
  /** A tool the vendor runs itself, or of a kind only one format knows. */
  | { readonly type: 'vendor'; readonly apiFormat: string; readonly value: unknown };

export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'named'; readonly name: string }
  | { readonly type: 'vendor'; readonly apiFormat: string; readonly value: unknown };
