import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RequestChecker } from '../../../support/strict-vendors/request-check.js';

/** A request as the vendor saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface ScriptedAnswer {
  readonly status?: number;
  /** One document, or the frames of a stream in the requested form. */
  readonly json?: unknown;
  readonly frames?: readonly unknown[];
  /** Bytes as they are. */
  readonly raw?: string;
  /** The connection breaks off after the frames. */
  readonly breaksOff?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Script = (request: SeenRequest) => ScriptedAnswer;

/** A vendor whose answers are scripted per model: the name in the path, or the `model` of the body. */
export class ScriptedGoogle {
  readonly seen: SeenRequest[] = [];
  private readonly checker = new RequestChecker();
  private readonly scripts = new Map<string, Script>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedGoogle> {
    const server = createServer();
    const vendor = new ScriptedGoogle(server);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const url = new URL(request.url ?? '/', 'http://vendor');
        const text = Buffer.concat(parts).toString();
        vendor.answer(
          {
            method: request.method ?? '',
            path: url.pathname,
            query: url.searchParams,
            headers: request.headers,
            text,
            body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
          },
          response,
        );
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  on(model: string, script: Script): void {
    this.scripts.set(model, script);
  }

  /** The last request for a model. */
  last(model: string): SeenRequest {
    const found = this.seen.findLast((request) => modelOf(request) === model);
    if (found === undefined) throw new Error(`${model} was never asked`);
    return found;
  }

  /** Fails: when a request came that the vendor would have refused. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    if (this.server.listening) await once(this.server, 'close');
    this.checker.expectNone();
  }

  private answer(request: SeenRequest, response: ServerResponse): void {
    this.seen.push(request);
    const refusal = this.checker.refusalOf(request.path, request.body, request.headers);
    const script = this.scripts.get(modelOf(request));
    const answer = refusal === undefined ? script?.(request) : { status: 400, json: refusal.body };
    const { status = 200, json, frames, raw, breaksOff, headers = {} } = answer ?? NOT_FOUND;
    if (frames === undefined) {
      response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
      response.end(raw ?? JSON.stringify(json));
      return;
    }
    const isChat = request.path.endsWith('/chat/completions');
    const isArray = !isChat && request.query.get('alt') !== 'sse';
    response.writeHead(status, {
      'content-type': isArray ? 'application/json; charset=UTF-8' : 'text/event-stream',
      ...headers,
    });
    for (const [index, frame] of frames.entries()) {
      const text = JSON.stringify(frame);
      response.write(isArray ? `${index === 0 ? '[' : ',\r\n'}${text}` : `data: ${text}\r\n\r\n`);
    }
    if (breaksOff === true) {
      response.write('\n', () => response.destroy());
      return;
    }
    response.end(isArray ? '\n]\n' : isChat ? 'data: [DONE]\n\n' : '');
  }
}

const NOT_FOUND: ScriptedAnswer = {
  status: 404,
  json: { error: { code: 404, message: 'model not found', status: 'NOT_FOUND' } },
};

function modelOf(request: SeenRequest): string {
  const inPath = /\/models\/([^:/]+):/.exec(request.path)?.[1];
  return inPath === undefined ? String(request.body['model'] ?? '') : decodeURIComponent(inPath);
}

/** One candidate of an answer. */
export const candidate = (
  parts: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({ content: { role: 'model', parts }, index: 0, ...more });

export const usage = (
  prompt: number,
  candidates: number,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  promptTokenCount: prompt,
  candidatesTokenCount: candidates,
  totalTokenCount: prompt + candidates,
  ...more,
});

let replies = 0;
/** A generateContent document with an id of its own. */
export const reply = (
  candidates: readonly unknown[],
  usageMetadata?: unknown,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  candidates,
  ...(usageMetadata === undefined ? {} : { usageMetadata }),
  modelVersion: 'gemini-scripted',
  responseId: `resp-${(replies += 1)}`,
  ...more,
});
