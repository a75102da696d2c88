/** The evidence of a description. */
export interface DescriptionSource {
  /** Pages of the vendor, and public threads that quote its errors. */
  readonly links: readonly string[];
  /** Day the links were read, `YYYY-MM-DD`; absent = not read. */
  readonly read?: string;
  /** Evidence beside the links. */
  readonly restsOn?: string;
}

/** Roles that carry instructions, and their places. */
export interface InstructionRules {
  /** The role `developer` is known. */
  readonly developer: boolean;
  /** `head`: one message, before all others; `anywhere`: any number, between turns as well. */
  readonly place: 'head' | 'anywhere';
}

/** Form of the identifier of an end user. Lengths in characters. */
export interface UserIdRules {
  readonly max: number;
  readonly min?: number;
  /** Letters, digits, `_` and `-` only. */
  readonly isToken?: true;
  /** Name of the member in chats; absent = `user`. */
  readonly member?: 'user_id';
}

/** Words for how much a model reasons. */
export interface EffortRules {
  readonly lowest: string;
  readonly highest: string;
  /** Models that refuse every effort. */
  readonly fixed: RegExp;
}

/** Models that take no forced choice of a tool (`required`, or one by name) while they think. */
export interface ThinkingChoiceRules {
  /** They think unless the call says `thinking: {type: "disabled"}`. */
  readonly byDefault: RegExp;
  /** Thinking cannot be switched off. */
  readonly always: RegExp;
}

/** Chats that a vendor refuses although OpenAI takes them. */
export interface ChatRules {
  /** No message of a user follows a tool: a turn of the assistant stands between. */
  readonly separatesTools?: true;
  /** A turn of the assistant without text and calls is refused. */
  readonly refusesEmptyTurns?: true;
  /** A turn with calls needs text, which may be empty: `null` and an empty list are refused. */
  readonly needsText?: true;
  /** Content of texts alone is one string, no list. */
  readonly joinsTexts?: true;
  /** A text part that is empty is refused beside an image. */
  readonly dropsEmptyTexts?: true;
  /** Functions need `parameters`. */
  readonly needsParameters?: true;
  /** Arguments of earlier calls need to be whole JSON. */
  readonly needsWholeArguments?: true;
  /** Models that refuse a turn of the assistant without thoughts while they think: a blank stands where another vendor's turn has none. */
  readonly needsThoughts?: RegExp;
  /** Entries of `reasoning_details` are refused with the `index` that streams give them. */
  readonly refusesDetailIndex?: true;
  /** An answer in JSON needs the word `json` in the messages, with a schema as well. */
  readonly needsWordJson?: true;
}

/** Tools of the Messages API that a vendor takes. */
export interface MessagesToolRules {
  /** Types of the tools that the vendor defines or runs itself; those of others are left out. */
  readonly ownTypes: RegExp;
  /** Members of a tool of the client; others are left out. */
  readonly members: ReadonlySet<string>;
  /** The vendor knows `tool_reference` in results; absent = they become text. */
  readonly knowsReferences?: true;
  /** Results are texts alone: their images and files stand behind them in the turn. */
  readonly hasTextResults?: true;
}

/** Tools of the Responses API that a vendor takes. */
export interface ResponsesToolRules {
  /** Types of tools beside functions. Namespaces and tools that take plain text become functions where they are missing. */
  readonly types: ReadonlySet<string>;
}

/** Images that a vendor refuses. They become notes in earlier turns and in results of tools. */
export interface ImageRules {
  /** Names of models that take texts alone. */
  readonly textModels?: RegExp;
  /** Media types that the others take; absent = any. */
  readonly types?: ReadonlySet<string>;
  /** Addresses of the web are refused: images are fetched, and sent as their bytes. */
  readonly bytesOnly?: true;
}

/** Earlier thoughts in a turn of a chat: as parts of its content, as the member `reasoning`, or not at all. */
export type ThoughtForm = 'thinking parts' | 'reasoning' | 'none';

/**
 * Interface of a vendor, beyond its API format: the request writer fits every call to it, bytes that pass as well. Absent members are not
 * restricted.
 */
export interface VendorDescription {
  readonly source: DescriptionSource;
  readonly instructions: InstructionRules;
  /** Member with the output cap of a chat; `either`: both are read. */
  readonly cap: 'max_tokens' | 'either';
  /** False = the vendor takes none. */
  readonly user: UserIdRules | false;
  /** Members that ask for reasoning, by the names of the vendor. */
  readonly reasoning?: readonly string[];
  /** Efforts of its models, where bytes pass to its Responses endpoint; absent = any. */
  readonly efforts?: EffortRules;
  /** Switches that may be on in streamed calls only. */
  readonly streamedSwitches?: readonly string[];
  /** Models whose thinking is on by default, and refused in a call that is not streamed. */
  readonly thinksByDefault?: RegExp;
  /** Form of earlier thoughts; absent = `reasoning_content`, where they go back at all. */
  readonly thoughts?: ThoughtForm;
  /** Members that a message of a chat may have; absent = any. */
  readonly messageMembers?: ReadonlySet<string>;
  /** A Messages request that asks for thoughts is refused while the round of tools that is open began without them. */
  readonly refusesBareRounds?: true;
  /** Choices of tools that the vendor takes; absent = all. */
  readonly toolChoices?: readonly ('auto' | 'none' | 'required' | 'named')[];
  /** Absent = a choice may be forced while a model thinks. */
  readonly thinkingChoices?: ThinkingChoiceRules;
  /** Values of `service_tier`; absent = any. */
  readonly serviceTiers?: readonly string[];
  /** `top_k` is refused. */
  readonly refusesTopK?: true;
  /** A choice may name the tools that may be called (`allowed_tools`); absent = all others are left out instead. */
  readonly knowsAllowedTools?: true;
  readonly chats?: ChatRules;
  /** Absent = images go as they came. */
  readonly images?: ImageRules;
  /** An answer in a chat may hold images, as its `images` or in its content; absent = the turn of the user holds them instead. */
  readonly answersHoldImages?: true;
  /** Values of an image's `detail` beyond auto, low and high are known; absent = they become the nearest. */
  readonly knowsOriginalDetail?: true;
  /** Longest ids of calls, in characters; longer ones of earlier turns are shortened. Absent = not bounded. */
  readonly callIds?: { readonly chat: number; readonly responses: number };
  /** Beginning of the id that an item of Responses may have, by its type; other ids are left out. Absent = any id. */
  readonly itemIds?: ReadonlyMap<string, string>;
  /** Names that functions may not have: those of the vendor's own tools. Absent = any name. */
  readonly reservedToolNames?: ReadonlySet<string>;
  /** Names of functions begin with a letter or an underscore. */
  readonly toolsBeginWithLetter?: true;
  /** The schema of a tool as the vendor takes it; absent = schemas go as they came. */
  readonly toolSchema?: (schema: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Tools at the Messages endpoint; absent = all. */
  readonly messagesTools?: MessagesToolRules;
  /** Tools at the Responses endpoint; absent = all. */
  readonly responsesTools?: ResponsesToolRules;
}
