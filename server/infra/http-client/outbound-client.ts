import type { Result } from '../../common/result.js';
import type {
  UpstreamExchange,
  UpstreamFault,
  UpstreamRequest,
  UpstreamSink,
} from '../../relay-core/ports/http-sender.js';
import { type BoundedReply, fetchBounded, type FetchLimits } from './fetch-bounded.js';
import type { FetchCaller } from './outbound-callers.js';
import type { OutboundPolicy } from './safe-url.js';
import { PooledHttpSender } from './pooled-http-sender.js';

/** Total time and size of a fetch outside the relay. */
const LIMITS = { timeoutMs: 10_000, maxBytes: 1024 * 1024 } as const;

/** Small fetches that are not calls, each by the rules of its caller. */
export class OutboundClient {
  private readonly senders: Readonly<Record<FetchCaller, PooledHttpSender>>;

  constructor(policy: OutboundPolicy, usesHttp1Pool = true) {
    const senderOf = (caller: FetchCaller): PooledHttpSender =>
      new PooledHttpSender(policy, caller, usesHttp1Pool);
    this.senders = {
      answer: senderOf('answer'),
      identity: senderOf('identity'),
      service: senderOf('service'),
      user: senderOf('user'),
    };
  }

  /** @param limits  where the usual ones do not fit. Fails: a fault whose kind may be shown; its cause may not. */
  fetch(
    caller: FetchCaller,
    request: UpstreamRequest,
    limits: FetchLimits = LIMITS,
  ): Promise<Result<BoundedReply, UpstreamFault>> {
    return fetchBounded(this.senders[caller], request, limits);
  }

  /** For replies that are passed on as they come: the caller of this function bounds time and size. */
  send(caller: FetchCaller, request: UpstreamRequest, sink: UpstreamSink): UpstreamExchange {
    return this.senders[caller].send(request, sink);
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.senders).map((sender) => sender.close()));
  }
}
