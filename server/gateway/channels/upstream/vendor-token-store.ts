import { getOrAdd } from '../../../common/get-or-add.js';
import { Injectable } from '@nestjs/common';
import { fail, ok, type Result } from '../../../common/result.js';
import { fetchBounded } from '../../../infra/http-client/fetch-bounded.js';
import { refusal } from '../../../relay-core/model/refusals.js';
import {
  type RelayError,
  vendorErrorIn,
  type VendorErrorInfo,
} from '../../../relay-core/model/relay-error.js';
import { describeFault } from '../../../relay-core/pipeline/stages/send-call.js';
import { Clock } from '../../../common/clock.js';
import {
  HttpSender,
  type UpstreamFault,
  type UpstreamRequest,
} from '../../../relay-core/ports/http-sender.js';
import { type TokenExchange, VendorTokens } from '../../../relay-core/ports/vendor-tokens.js';
import { readFailedReply } from '../../../relay-core/providers/shared/openai-compatible-error.js';
import type { FailedReply } from '../../../relay-core/providers/provider.js';

const LIMITS = { timeoutMs: 10_000, maxBytes: 256 * 1024 } as const;
/** Maximum number of cached channel tokens; the oldest is dropped when more are needed. */
const MAX_TOKENS = 2_000;
/** A token is fetched again this long before it ends, or a tenth of its life before. */
const EARLY_MS = 5 * 60_000;
/** Longest lifetime of a cached token, whatever the vendor grants. */
const MAX_LIFETIME_MS = 24 * 3_600_000;
/** A refusal is remembered so long: a wrong key must not make a request per call. */
const REFUSAL_MS = 10_000;

type UpstreamError = Extract<RelayError, { readonly blame: 'upstream' }>;
type Outcome = Result<string, RelayError>;

interface Entry {
  readonly outcome: Outcome;
  readonly endsAtMs: number;
}

/**
 * Access tokens of vendors that exchange a key for one: in memory only, fetched by the relay's own sender, early
 * renewed, one request at a time for each.
 */
@Injectable()
export class VendorTokenStore extends VendorTokens {
  private readonly entries = new Map<string, Entry>();
  private readonly underWay = new Map<string, Promise<Outcome>>();

  constructor(
    private readonly sender: HttpSender,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async tokenOf(key: string, how: TokenExchange): Promise<Outcome> {
    const known = this.entries.get(key);
    if (known !== undefined && known.endsAtMs > this.clock.monotonicMs()) return known.outcome;
    return getOrAdd(this.underWay, key, () =>
      this.exchange(key, how).finally(() => this.underWay.delete(key)),
    );
  }

  override forget(key: string): void {
    this.entries.delete(key);
  }

  private async exchange(key: string, { request, read, secrets }: TokenExchange): Promise<Outcome> {
    const sent = request();
    const reply = await fetchBounded(this.sender, sent, LIMITS);
    if (!reply.ok) return fail(transportError(reply.error));
    const { status, body } = reply.value;
    const grant = status >= 200 && status <= 299 ? read(body) : undefined;
    if (grant === undefined) {
      const words = vendorErrorOf(reply.value, [...secrets, ...sentValues(sent)]);
      if (status >= 500 || status === 429) return fail({ ...unavailable(status), ...words });
      return this.remember(key, fail({ ...refused(status), ...words }), REFUSAL_MS);
    }
    const lifetimeMs = Math.min(grant.lifetimeSeconds * 1_000, MAX_LIFETIME_MS);
    return this.remember(key, ok(grant.token), lifetimeMs - Math.min(EARLY_MS, lifetimeMs / 10));
  }

  private remember(key: string, outcome: Outcome, lifetimeMs: number): Outcome {
    this.entries.delete(key);
    const oldest = this.entries.keys().next();
    if (this.entries.size >= MAX_TOKENS && oldest.done !== true) this.entries.delete(oldest.value);
    this.entries.set(key, { outcome, endsAtMs: this.clock.monotonicMs() + lifetimeMs });
    return outcome;
  }
}

/** Error a vendor sent in place of a token; an answer without one may hold another secret. */
function vendorErrorOf(
  reply: FailedReply,
  secrets: readonly string[],
): { readonly vendorSays?: VendorErrorInfo } {
  if (reply.status >= 200 && reply.status <= 299) return {};
  return vendorErrorIn(readFailedReply(reply, secrets));
}

/** Values of the form that was sent: a vendor may quote them. */
const sentValues = ({ body }: UpstreamRequest): readonly string[] =>
  body === undefined ? [] : [...new URLSearchParams(Buffer.from(body).toString('utf8')).values()];

/** A refused credential, whatever the status: the request held nothing of the call. */
const refused = (status: number): UpstreamError => ({
  ...refusal('channel-key-refused'),
  upstreamStatus: status > 400 ? status : 401,
});

const unavailable = (status: number): UpstreamError => ({
  ...refusal('no-token'),
  kind: status === 429 ? 'upstream-rate-limited' : 'upstream-overloaded',
  upstreamStatus: status,
});

function transportError(fault: UpstreamFault): RelayError {
  if (fault.kind === 'no-room') return describeFault(fault);
  return { ...refusal(fault.kind === 'timeout' ? 'token-late' : 'tokens-unreachable'), cause: fault.cause };
}
