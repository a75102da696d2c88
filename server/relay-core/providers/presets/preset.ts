import type { ItemBounds } from '../../model/item-bounds.js';
import type { MessagesToolRules, VendorDescription } from '../../model/vendor-description.js';

/** Types that a channel of a preset is stored as. */
export type PresetType = 1 | 8;

/** Paths of other APIs at the same address, as members of the channel's `settings`. */
export interface PresetPaths {
  readonly responses_path?: string;
  readonly messages_path?: string;
  readonly gemini_path?: string;
}

/** The page that the facts of a preset come from, and the day it was read or what they rest on instead. */
export type PresetSource =
  { readonly page: string; readonly day: string } | { readonly page: string; readonly notRead: string };

/** Evidence from operators, not from a page: the base address and the chat endpoint; other paths are not known. */
export const CHAT_ONLY = 'the base address and the chat endpoint rest on what operators use';

/** Members of other vendors' chats: each of them is a 400 where a vendor refuses unknown members. */
export const OTHER_VENDORS_MEMBERS: readonly string[] = [
  'reasoning',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'think',
  'chat_template_kwargs',
  'top_k',
  'min_p',
  'repetition_penalty',
  'store',
  'safety_identifier',
  'web_search_options',
];

/** Members of a message in OpenAI's form, and the thoughts of earlier turns, for vendors that refuse all others. */
export const PLAIN_MESSAGE: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'function_call',
  'reasoning',
]);

/** Chats of a vendor that refuses what other vendors of the format ignore. */
export interface PresetChat {
  describe(upstreamModel: string): VendorDescription;
  /** Top-level members that it refuses. */
  readonly refusedMembers: readonly string[];
  /** Its Responses endpoint, where it is no copy of OpenAI's; absent = as other addresses of the type. */
  readonly responses?: {
    readonly description: VendorDescription;
    readonly refusedMembers: readonly string[];
  };
  /** Word of the model for an effort; undefined = it takes none. */
  effortFor(upstreamModel: string, asked: string): string | undefined;
}

/** Words of models with three efforts for those that they do not have. */
export const THREE_EFFORTS: ReadonlyMap<string, string> = new Map([
  ['none', 'low'],
  ['minimal', 'low'],
  ['xhigh', 'high'],
  ['max', 'high'],
]);

/**
 * A vendor behind a channel of type 1 or 8: the values that the form fills in, and facts about the vendor. The channel stores all of the
 * values, so it stays an ordinary channel where a later version has no such preset.
 */
export interface Preset {
  /** Stored in the channel's `settings` as `preset`: never changed. */
  readonly id: string;
  /** The vendor's own name, the same in every language. */
  readonly name: string;
  /** One or two letters in place of its logo. */
  readonly mark: string;
  readonly type: PresetType;
  /** Base address of its API; empty = it is the operator's own. */
  readonly baseUrl: string;
  /** Example of an address, where it is the operator's own. */
  readonly addressExample: string;
  readonly paths: PresetPaths;
  readonly keyExample: string;
  /** Beginning of keys that this vendor alone issues; absent = none is known. */
  readonly keyPrefix?: string;
  /** Models to fill the list with; empty = to be fetched. */
  readonly models: readonly string[];
  readonly description: { readonly en: string; readonly zh: string };
  readonly source: PresetSource;
  // Facts about what the vendor takes and refuses, each a member of its own.
  readonly itemBounds?: ItemBounds;
  /** Tools at its Messages endpoint; absent = as those of other addresses of its type. */
  readonly messagesTools?: MessagesToolRules;
  /** A chat may have `top_k`, which OpenAI's do not have; absent = not known. */
  readonly takesTopK?: true;
  /** Absent = chats as those of other addresses of its type. */
  readonly chat?: PresetChat;
}
