import type { ServerResponse } from 'node:http';
import {
  faultOf,
  frame,
  type Block,
  type ClaudeRequest,
} from '../../../support/strict-vendors/claude-rules.js';
import { answerJson, ScriptedVendor, type VendorRequest } from '../../vendors/media/scripted-vendor.js';

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

/** Start event of a block, and its pieces. */
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
