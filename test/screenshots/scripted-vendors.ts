import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Usage of the next call, in tokens; set by the code that makes it. */
export interface NextUse {
  prompt: number;
  cached: number;
  output: number;
  /** Delay of the answer. */
  delayMs: number;
  /** The account with this key answers 429 instead. */
  refusedKey: string | undefined;
}

/** Three vendors in one server: the paths of OpenAI, Anthropic and Gemini, each answering in its own form. */
export class ScriptedVendors {
  readonly next: NextUse = { prompt: 1_000, cached: 0, output: 300, delayMs: 0, refusedKey: undefined };
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async start(): Promise<ScriptedVendors> {
    const vendors = new ScriptedVendors();
    vendors.server.listen(0, '127.0.0.1');
    await once(vendors.server, 'listening');
    return vendors;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { prompt, cached, output, delayMs, refusedKey } = this.next;
    const text = wordsOf(output);
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.headers.authorization === `Bearer ${refusedKey}`)
      return json(429, { error: { message: 'Rate limit reached', type: 'rate_limit_error' } });
    await pause(delayMs);
    const path = request.url ?? '';
    if (path.endsWith('/messages')) {
      return json(200, {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        stop_reason: 'end_turn',
        content: [{ type: 'text', text }],
        usage: {
          input_tokens: prompt - cached,
          cache_read_input_tokens: cached,
          cache_creation_input_tokens: 0,
          output_tokens: output,
        },
      });
    }
    if (path.includes(':generateContent')) {
      return json(200, {
        candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
        usageMetadata: {
          promptTokenCount: prompt,
          cachedContentTokenCount: cached,
          candidatesTokenCount: output,
          totalTokenCount: prompt + output,
        },
      });
    }
    json(200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_760_000_000,
      model: 'model',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: prompt,
        completion_tokens: output,
        total_tokens: prompt + output,
        prompt_tokens_details: { cached_tokens: cached },
      },
    });
  }
}

/** A text of about so many tokens: what is charged has to be plausible. */
export const wordsOf = (tokens: number): string => 'word '.repeat(tokens);
