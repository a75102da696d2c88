import type {
  ChatRules,
  MessagesToolRules,
  ResponsesToolRules,
  VendorDescription,
} from '../../model/vendor-description.js';

/** Longest `user` that every vendor with a known bound takes; Moonshot and Spark, which take less, have rows of their own. */
const SHORTEST_USUAL_BOUND = 64;

/**
 * Chats of vendors other than OpenAI: "content and tool_calls fields can't both be empty" (Zhipu 1214), "Each message must have at least one
 * content element" (xAI), "must not be empty" (Moonshot). https://github.com/BerriAI/litellm/issues/3736 (read 2026-11-29).
 */
export const OTHER_CHATS: ChatRules = { refusesEmptyTurns: true };

/**
 * Tools at Messages endpoints of vendors that have no beta features of Anthropic: "Deferred custom tools are only supported on Anthropic
 * models", "function name or parameters is empty" (MiniMax, for a search that Anthropic runs).
 * https://github.com/anthropics/claude-code/issues/89211, https://github.com/ding113/claude-code-hub/issues/1262 (read 2026-11-29).
 */
export const PLAIN_MESSAGES_TOOLS: MessagesToolRules = {
  ownTypes: /^$/,
  members: new Set(['type', 'name', 'description', 'input_schema', 'cache_control']),
};

/**
 * Tools that servers of the Responses API run beside OpenAI's own: others fail a whole call for a namespace or a tool of the client
 * ("unknown tool type"). https://github.com/coder/coder/issues/28656 (read 2026-11-29).
 */
export const USUAL_RESPONSES_TOOLS: ResponsesToolRules = {
  types: new Set([
    'web_search',
    'web_search_preview',
    'file_search',
    'code_interpreter',
    'mcp',
    'image_generation',
  ]),
};

/**
 * A vendor without a description of its own: one `system` message at the head and `max_tokens`, which every server of this format reads. Its
 * evidence are the refusals of chat templates: "System message must be at the beginning" (Qwen), "unknown variant `developer`" (DeepSeek).
 */
export const CONSERVATIVE: VendorDescription = {
  source: {
    links: [
      'https://github.com/raullenchai/Rapid-MLX/issues/1543',
      'https://github.com/QwenLM/Qwen3.8/issues/244',
      'https://github.com/losesky/ai-auto-trading/issues/14',
    ],
    read: '2026-11-29',
    restsOn: 'public threads with refusals of servers and chat templates',
  },
  instructions: { developer: false, place: 'head' },
  cap: 'max_tokens',
  user: { max: SHORTEST_USUAL_BOUND },
  chats: OTHER_CHATS,
  messagesTools: PLAIN_MESSAGES_TOOLS,
  responsesTools: USUAL_RESPONSES_TOOLS,
};

/**
 * "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40", and 64 of `input[2].call_id`.
 * https://github.com/agno-agi/agno/issues/5382, https://github.com/dyad-sh/dyad/issues/4304 (read 2026-11-30).
 */
export const OPENAI_CALL_IDS = { chat: 40, responses: 64 } as const;

/**
 * Beginnings of the ids of items: any other is refused ("Expected an ID that begins with 'msg'"), and clients keep ids that gateways or other
 * programs made up. https://github.com/openai/codex/issues/33176, https://github.com/Wei-Shaw/sub2api/issues/3981 (read 2026-11-30).
 */
export const OPENAI_ITEM_IDS: ReadonlyMap<string, string> = new Map([
  ['message', 'msg'],
  ['function_call', 'fc'],
  ['function_call_output', 'fc'],
  ['custom_tool_call', 'ctc'],
  ['custom_tool_call_output', 'ctc'],
]);

/** OpenAI's own models behind its own address. */
export const OPENAI_NEWEST: VendorDescription = {
  source: {
    links: [
      'https://platform.openai.com/docs/api-reference/chat/create',
      'https://github.com/maximhq/bifrost/pull/1000',
      'https://github.com/agno-agi/agno/issues/5382',
      'https://github.com/dyad-sh/dyad/issues/4304',
    ],
    restsOn: 'recorded requests and answers in fixtures, and a public thread for the bound of `user`',
  },
  instructions: { developer: true, place: 'anywhere' },
  cap: 'either',
  user: { max: 64 },
  reasoning: ['reasoning_effort'],
  serviceTiers: ['auto', 'default', 'flex', 'scale', 'priority'],
  refusesTopK: true,
  thoughts: 'none',
  callIds: OPENAI_CALL_IDS,
  itemIds: OPENAI_ITEM_IDS,
  knowsAllowedTools: true,
  knowsOriginalDetail: true,
};

/** ModelScope: Qwen's hybrid models think by default there, and refuse to in a call that is not streamed. */
export const MODELSCOPE: VendorDescription = {
  ...CONSERVATIVE,
  source: {
    links: [
      'https://github.com/musistudio/claude-code-router/issues/948',
      'https://github.com/langchain4j/langchain4j/issues/3974',
      'https://github.com/infiniflow/ragflow/issues/8972',
    ],
    read: '2026-11-29',
    restsOn: 'public threads with its refusal "enable thinking can not be support when stream=False"',
  },
  reasoning: ['enable_thinking', 'thinking_budget'],
  streamedSwitches: ['enable_thinking'],
  thinksByDefault: /qwen3(?:\.\d)?-(?!.*(?:instruct|thinking|coder|embedding|reranker|guard))/i,
};

/** The evidence of a vendor whose pages were not read. */
export const notRead = (restsOn: string): VendorDescription['source'] => ({ links: [], restsOn });
