import { Injectable } from '@nestjs/common';
import { fail, ok, type Result } from '../../common/result.js';
import { fetchBounded } from '../../infra/http/fetch-bounded.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { describeFault } from '../../relay-core/pipeline/rooms/send-call.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { HttpSender, type UpstreamRequest } from '../../relay-core/ports/http-sender.js';
import { type TokenGrant, VendorTokens } from '../../relay-core/ports/vendor-tokens.js';

const LIMITS = { timeoutMs: 15_000, maxBytes: 256 * 1024 };
/** Fetched anew this long before they end: a call that takes its token now may still wait for its turn. */
const MARGIN_MS = 60_000;
const MAX_TOKENS = 2_000;

/** Access tokens of this process, by what they belong to. */
@Injectable()
export class VendorTokenStore extends VendorTokens {
  private readonly tokens = new Map<string, { readonly token: string; readonly untilMs: number }>();
  private readonly fetching = new Map<string, Promise<Result<string, RelayError>>>();

  constructor(
    private readonly sender: HttpSender,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async tokenOf(
    key: string,
    request: () => UpstreamRequest,
    read: (body: Buffer) => TokenGrant | undefined,
  ): Promise<Result<string, RelayError>> {
    const known = this.tokens.get(key);
    if (known !== undefined && this.clock.monotonicMs() < known.untilMs) return ok(known.token);
    let fetching = this.fetching.get(key);
    if (fetching === undefined) {
      fetching = this.fetch(key, request(), read).finally(() => this.fetching.delete(key));
      this.fetching.set(key, fetching);
    }
    return fetching;
  }

  override forget(key: string): void {
    this.tokens.delete(key);
  }

  private async fetch(
    key: string,
    request: UpstreamRequest,
    read: (body: Buffer) => TokenGrant | undefined,
  ): Promise<Result<string, RelayError>> {
    const reply = await fetchBounded(this.sender, request, LIMITS);
    if (!reply.ok) return fail(describeFault(reply.error));
    const { status, body } = reply.value;
    const grant = status >= 200 && status <= 299 ? read(body) : undefined;
    if (grant === undefined) {
      const isRefusal = status >= 400 && status < 500;
      return fail({
        kind: isRefusal ? 'upstream-key-refused' : 'upstream-unreachable',
        blame: 'upstream',
        upstreamStatus: status,
        message: 'The upstream did not grant access with the credential of this channel.',
      });
    }
    if (this.tokens.size >= MAX_TOKENS) this.tokens.clear();
    const untilMs = this.clock.monotonicMs() + grant.lifetimeSeconds * 1_000 - MARGIN_MS;
    this.tokens.set(key, { token: grant.token, untilMs });
    return ok(grant.token);
  }
}
