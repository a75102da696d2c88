import type { CacheMark, ContentPart } from './content.js';
import type { FinishReason } from './finish-reason.js';
import type { Tool, ToolChoice } from './tool.js';
import type { Usage } from './usage.js';
import type { VendorOptions } from './vendor-options.js';

/** One turn of a conversation. */
export type Message =
  | {
      readonly role: 'system' | 'developer' | 'user' | 'assistant';
      readonly content: readonly ContentPart[];
      readonly name?: string;
      readonly vendorOptions?: VendorOptions;
    }
  | {
      readonly role: 'tool';
      /** Which tool call this answers; empty in the oldest form, which answers by name. */
      readonly callId: string;
      readonly name?: string;
      readonly content: readonly ContentPart[];
      /** The tool failed; its content has the reason. */
      readonly isError?: boolean;
      readonly cache?: CacheMark;
      readonly vendorOptions?: VendorOptions;
    };

export type ResponseFormat =
  | { readonly type: 'text' | 'json' }
  | {
      readonly type: 'json-schema';
      readonly name: string;
      readonly schema: unknown;
      readonly isStrict?: boolean;
      readonly description?: string;
      /** The answer is one word of the schema's list as it stands, not JSON (Google's `text/x.enum`). */
      readonly isBareEnumValue?: true;
    };

/** Limits of thinking before an answer. Absent members are left to the vendor. */
export interface ReasoningRequest {
  /** Vendor-neutral word: none, minimal, low, medium, high, xhigh, max. */
  readonly effort?: string;
  /** Tokens it may think; 0 = not at all. */
  readonly budgetTokens?: number;
  /** The vendor decides the amount by itself (Anthropic adaptive, Gemini -1). */
  readonly isDynamic?: boolean;
  /** Show thoughts (Gemini includeThoughts, Responses summary, Anthropic display); undefined = the vendor's default. */
  readonly summary?: 'none' | 'auto' | 'concise' | 'detailed';
}

/** A request to a chat model. Absent settings are left to the vendor. */
export interface ChatRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  /** Output cap per answer, reasoning included. */
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  /** Answers asked for. */
  readonly choices: number;
  readonly responseFormat?: ResponseFormat;
  readonly reasoning?: ReasoningRequest;
  readonly user?: string;
  readonly stream: boolean;
  readonly wantsStreamUsage: boolean;
  readonly vendorOptions?: VendorOptions;
}

/** One answer of a whole (not streamed) reply. */
export interface ChatChoice {
  readonly content: readonly ContentPart[];
  /** Undefined = the vendor gave no reason for the end. */
  readonly finish: FinishReason | undefined;
  /** Token probabilities as the vendor gave them. */
  readonly logprobs?: unknown;
  readonly vendorOptions?: VendorOptions;
}

export interface ChatReply {
  readonly id: string;
  readonly servedModel: string;
  /** Seconds since 1970; undefined = not reported. */
  readonly createdAtSeconds: number | undefined;
  readonly choices: readonly ChatChoice[];
  readonly usage: Usage | undefined;
  readonly vendorOptions?: VendorOptions;
}
