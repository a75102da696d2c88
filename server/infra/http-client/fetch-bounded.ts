import { fail, ok, type Result } from '../../common/result.js';
import type { HttpSender, UpstreamFault, UpstreamRequest } from '../../relay-core/ports/http-sender.js';

/** A small reply, read whole. */
export interface BoundedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

export interface FetchLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * Sends one request and reads the whole reply, within a total time and a size: for model lists, balances, discovery
 * documents and the like; never for calls.
 * Fails: the sender's fault, `timeout` after `timeoutMs`, `too-large` beyond `maxBytes`.
 */
export function fetchBounded(
  sender: HttpSender,
  request: UpstreamRequest,
  limits: FetchLimits,
): Promise<Result<BoundedReply, UpstreamFault>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    let head: Omit<BoundedReply, 'body'> | undefined;
    const timer = setTimeout(() => {
      exchange.abort();
      resolve(fail({ kind: 'timeout' }));
    }, limits.timeoutMs);
    const settle = (outcome: Result<BoundedReply, UpstreamFault>): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const exchange = sender.send(request, {
      onHead: (status, headers) => {
        head = { status, headers };
      },
      onBytes: (chunk) => {
        sizeBytes += chunk.length;
        if (sizeBytes > limits.maxBytes) {
          exchange.abort();
          settle(fail({ kind: 'too-large' }));
          return true;
        }
        chunks.push(chunk);
        return true;
      },
      onEnd: () => {
        if (head === undefined) settle(fail({ kind: 'reset' }));
        else settle(ok({ ...head, body: Buffer.concat(chunks) }));
      },
      onBroken: (fault) => settle(fail(fault)),
    });
  });
}
