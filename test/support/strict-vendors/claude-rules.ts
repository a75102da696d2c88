/** A content block, as far as a script cares. */
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

export interface ClaudeRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly system?: unknown;
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number };
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
  readonly [member: string]: unknown;
}

/** Signs a thought, the way only the vendor can. */
export const signatureOf = (thinking: string): string => Buffer.from(`signed:${thinking}`).toString('base64');

export const frame = (event: Readonly<Record<string, unknown>> & { readonly type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Refusals of the real vendor (https://docs.claude.com/en/api/messages, read 2026-11-21). */
export function faultOf(request: ClaudeRequest): string | undefined {
  if (!Number.isInteger(request.max_tokens)) return 'max_tokens: Field required';
  const budget = request.thinking?.budget_tokens;
  if (budget !== undefined && budget < 1_024) return 'thinking.budget_tokens: Input should be at least 1024';
  if (budget !== undefined && budget >= request.max_tokens)
    return 'max_tokens must be greater than thinking.budget_tokens';
  const isThinking = request.thinking?.type === 'enabled';
  if (isThinking && 'temperature' in request && request['temperature'] !== 1)
    return 'temperature may only be 1';
  let marks = 0;
  let open: unknown[] = [];
  const used = new Set<unknown>();
  for (const [at, message] of request.messages.entries()) {
    const blocks: readonly Block[] =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    if (at === 0 && message.role !== 'user') return 'messages: first message must use the "user" role';
    if (blocks.length === 0) return `messages.${at}: all messages must have non-empty content`;
    const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => block['tool_use_id']);
    if (blocks.findLastIndex(({ type }) => type === 'tool_result') >= results.length)
      return `messages.${at}: tool results come first`;
    if (open.some((id) => !results.includes(id)))
      return `messages.${at}: tool_use ids were found without tool_result blocks`;
    if (results.some((id) => !open.includes(id)))
      return `messages.${at}: unexpected tool_use_id in tool_result blocks`;
    open = blocks.filter(({ type }) => type === 'tool_use').map((block) => block['id']);
    if (open.some((id, index) => used.has(id) || open.indexOf(id) !== index))
      return `messages.${at}: \`tool_use\` ids must be unique`;
    for (const id of open) used.add(id);
    for (const block of blocks) {
      if (block.type === 'text' && String(block['text']).trim() === '')
        return `messages.${at}: text content blocks must be non-empty`;
      if (block.type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(block['id'])))
        return `messages.${at}: tool_use.id is not valid`;
      if (block.type === 'thinking' && block['signature'] !== signatureOf(String(block['thinking']))) {
        return `messages.${at}: Invalid signature in thinking block`;
      }
      if (block['cache_control'] !== undefined) marks += 1;
    }
  }
  if (open.length > 0) return 'messages: tool_use ids were found without tool_result blocks';
  if (marks > 4) return 'A maximum of 4 blocks with cache_control may be provided';
  return isThinking ? missingThought(request) : undefined;
}

/** While thinking is on, a turn that called tools must begin with its thoughts. */
function missingThought({ messages }: ClaudeRequest): string | undefined {
  const holds = (at: number, type: string): boolean => {
    const content = messages[at]?.content;
    return typeof content !== 'string' && content?.some((block) => block.type === type) === true;
  };
  let first = messages.length - 1;
  if (!holds(first, 'tool_result')) return undefined;
  while (first > 0 && (messages[first]?.role === 'assistant' || holds(first, 'tool_result'))) first -= 1;
  const start = messages[first + 1]?.content[0];
  return typeof start === 'object' && (start.type === 'thinking' || start.type === 'redacted_thinking')
    ? undefined
    : 'Expected `thinking` or `redacted_thinking`, but found `tool_use`';
}
