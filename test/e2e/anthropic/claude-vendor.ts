import type { ServerResponse } from 'node:http';
import { answerJson, ScriptedVendor, type VendorRequest } from '../media/scripted-vendor.js';

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

export interface ClaudeAnswer {
  readonly content: readonly Block[];
  readonly stop_reason: string;
  readonly usage?: Readonly<Record<string, unknown>>;
}

export type ClaudeScript = (request: ClaudeRequest, seen: VendorRequest) => ClaudeAnswer;

const USAGE = {
  input_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 5,
};

/** Signs a thought, the way only the vendor can. */
export const signatureOf = (thinking: string): string => Buffer.from(`signed:${thinking}`).toString('base64');

/**
 * Anthropic's side of the Messages API: as strict about a conversation's form as the real one, answers by script, whole or
 * streamed in small pieces.
 */
export class ClaudeVendor {
  script: ClaudeScript = () => ({ content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' });
  /** Written in place of an answer's events; for what a vendor should not do. */
  raw: ((response: ServerResponse) => void) | undefined;
  private count = 0;

  constructor(readonly vendor: ScriptedVendor) {
    vendor.on('/v1/messages', (seen, response) => this.answer(seen, response));
    vendor.on('/v1/messages/count_tokens', (seen, response) => {
      const request = JSON.parse(seen.body.toString('utf8')) as Record<string, unknown>;
      for (const name of ['max_tokens', 'stream', 'temperature']) {
        if (name in request) return refuse(response, `${name}: Extra inputs are not permitted`);
      }
      return answerJson(response, { input_tokens: 4_242 });
    });
  }

  private answer(seen: VendorRequest, response: ServerResponse): void {
    const request = JSON.parse(seen.body.toString('utf8')) as ClaudeRequest;
    const fault = faultOf(request);
    if (fault !== undefined) return refuse(response, fault);
    if (this.raw !== undefined) return this.raw(response);
    const answer = this.script(request, seen);
    this.count += 1;
    const message = {
      id: `msg_${this.count}`,
      type: 'message',
      role: 'assistant',
      model: request.model,
      content: answer.content,
      stop_reason: answer.stop_reason,
      stop_sequence: null,
      usage: { ...USAGE, ...answer.usage },
    };
    if (request.stream === true) stream(response, message);
    else answerJson(response, message);
  }
}

export function refuse(response: ServerResponse, message: string, status = 400): void {
  answerJson(response, { type: 'error', error: { type: 'invalid_request_error', message } }, status);
}

export const frame = (event: Readonly<Record<string, unknown>> & { readonly type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

interface Message extends ClaudeAnswer {
  readonly id: string;
  readonly usage: Readonly<Record<string, unknown>>;
}

function stream(response: ServerResponse, message: Message): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const send = (event: { readonly type: string } & Record<string, unknown>): void => {
    response.write(frame(event));
  };
  const { content, stop_reason, usage } = message;
  send({
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  });
  send({ type: 'ping' });
  for (const [index, block] of content.entries()) {
    const [start, deltas] = grow(block);
    send({ type: 'content_block_start', index, content_block: start });
    for (const delta of deltas) send({ type: 'content_block_delta', index, delta });
    send({ type: 'content_block_stop', index });
  }
  send({
    type: 'message_delta',
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: usage['output_tokens'] },
  });
  send({ type: 'message_stop' });
  response.end();
}

/** How a block begins, and its pieces. */
function grow(block: Block): [object, object[]] {
  const halves = (text: string): string[] => [text.slice(0, 3), text.slice(3)].filter((half) => half !== '');
  switch (block.type) {
    case 'text':
      return [
        { type: 'text', text: '' },
        halves(String(block['text'])).map((text) => ({ type: 'text_delta', text })),
      ];
    case 'thinking':
      return [
        { type: 'thinking', thinking: '', signature: '' },
        [
          ...halves(String(block['thinking'])).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block['signature'] },
        ],
      ];
    case 'tool_use':
      return [
        { ...block, input: {} },
        halves(JSON.stringify(block['input'])).map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      ];
    default:
      return [block, []];
  }
}

/** What the real vendor refuses (https://docs.claude.com/en/api/messages, read 2026-11-21). */
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
