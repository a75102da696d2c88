import type { Result } from '../../common/result.js';
import type {
  UpstreamExchange,
  UpstreamFault,
  UpstreamRequest,
  UpstreamSink,
} from '../../relay-core/ports/http-sender.js';
import { type BoundedReply, fetchBounded, type FetchLimits } from './fetch-bounded.js';
import type { OutboundPolicy } from './safe-url.js';
import { PooledHttpSender } from './pooled-http-sender.js';

/** Total time and size of a fetch outside the relay (appendix A of the security reference, NET-05). */
const LIMITS = { timeoutMs: 10_000, maxBytes: 1024 * 1024 } as const;

/** Small fetches that are not calls: identity providers, balances (`fixed`), webhooks and discovery addresses (`hostile-url`). */
export class OutboundClient {
  private readonly fixed: PooledHttpSender;
  private readonly hostile: PooledHttpSender;

  constructor(policy: OutboundPolicy) {
    this.fixed = new PooledHttpSender(policy, 'fixed');
    this.hostile = new PooledHttpSender(policy, 'hostile-url');
  }

  /** @param limits  where the usual ones do not fit. Fails: a fault whose kind may be shown; its cause may not (NET-07). */
  fetch(
    profile: 'fixed' | 'hostile-url',
    request: UpstreamRequest,
    limits: FetchLimits = LIMITS,
  ): Promise<Result<BoundedReply, UpstreamFault>> {
    return fetchBounded(profile === 'fixed' ? this.fixed : this.hostile, request, limits);
  }

  /** For what is passed on as it comes: whoever calls bounds time and size. */
  send(profile: 'fixed' | 'hostile-url', request: UpstreamRequest, sink: UpstreamSink): UpstreamExchange {
    return (profile === 'fixed' ? this.fixed : this.hostile).send(request, sink);
  }

  async close(): Promise<void> {
    await Promise.all([this.fixed.close(), this.hostile.close()]);
  }
}
