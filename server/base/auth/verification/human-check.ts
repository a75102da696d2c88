import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Env } from '../../../config/env.js';
import { OutboundClient } from '../../../infra/http-client/outbound-client.js';
import { networkOf } from '../../../common/client-network.js';
import { RateLimiter } from '../../../infra/rate-limit/rate-limiter.js';
import { OptionsService } from '../../options/options.service.js';
import { parseJson } from '../../../common/parse-json.js';

/** Action of the visitor; when the widget names one, it must be this. */
export type HumanAction = 'login' | 'register' | 'verification' | 'reset';

export interface HumanCheckRequest {
  /** Token issued by the widget. */
  readonly token: string;
  readonly action: HumanAction;
  readonly ip: string;
  /** Host the request was addressed to; counts while no server address is configured. */
  readonly host: string;
}

/** The register page asks for its mail code by the token of its one widget. */
const ACTIONS: Readonly<Record<HumanAction, readonly string[]>> = {
  login: ['login'],
  register: ['register'],
  verification: ['verification', 'register', 'bind'],
  reset: ['reset'],
};
/** The service answers within this, or counts as away. */
const LIMITS = { timeoutMs: 5_000, maxBytes: 64 * 1024 };
const TOKEN_MAX = 2_048;
const TOKEN = /^[\x21-\x7e]+$/;
/** A token counts for 300 s at the service; here it is remembered for longer. */
const REPLAY_WINDOW_MS = 900_000;
/** Logins without a check while the service is away: the administrator must be able to switch it off. */
const UNCHECKED_LOGINS = { limit: 5, windowMs: 600_000 };

const verdictSchema = z.object({
  success: z.boolean(),
  hostname: z.string().optional(),
  action: z.string().optional(),
});

/** The human check (Cloudflare Turnstile): done anew every time, never remembered for a browser. */
@Injectable()
export class HumanCheck {
  private readonly logger = new Logger('HumanCheck');

  constructor(
    private readonly options: OptionsService,
    private readonly client: OutboundClient,
    private readonly throttle: RateLimiter,
    private readonly env: Env,
  ) {}

  /**
   * Does nothing while the check is switched off.
   * Fails: DomainError `human_check_required` without a token, `human_check_failed` for one that is refused, used before or made
   * for another site or action, `human_check_away` when the service cannot be reached. A few logins per network are let through
   * then, nothing else.
   */
  async assert(request: HumanCheckRequest): Promise<void> {
    if (!this.options.values().TurnstileCheckEnabled) return;
    const { token } = request;
    if (token === '') throw new DomainError('human_check_required');
    // Blanks around it would make one token look like another here, and not at the service.
    if (token.length > TOKEN_MAX || !TOKEN.test(token)) throw new DomainError('human_check_failed');
    const digest = createHash('sha256').update(token).digest('hex');
    const first = await this.throttle.ask(`human:${digest}`, { limit: 1, windowMs: REPLAY_WINDOW_MS });
    if (!first.admitted) throw new DomainError('human_check_failed');
    const verdict = await this.ask(request);
    if (verdict === null) {
      if (request.action !== 'login') throw new DomainError('human_check_away');
      await this.throttle.admit(`human:unchecked:${networkOf(request.ip)}`, UNCHECKED_LOGINS);
      return;
    }
    if (
      !verdict.success ||
      !this.isOwnSite(verdict.hostname, request.host) ||
      !isFor(verdict, request.action)
    )
      throw new DomainError('human_check_failed');
  }

  /** Null = the service did not answer as it should. */
  private async ask({ token, ip }: HumanCheckRequest): Promise<z.infer<typeof verdictSchema> | null> {
    const secret = this.options.values().TurnstileSecretKey;
    const body = new URLSearchParams({ secret, response: token, remoteip: ip }).toString();
    const reply = await this.client.fetch(
      'service',
      {
        method: 'POST',
        url: this.env.turnstileVerifyUrl,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: Buffer.from(body),
      },
      LIMITS,
    );
    if (!reply.ok) {
      this.logger.warn(`the human check service cannot be reached: ${reply.error.kind}`);
      return null;
    }
    const verdict = verdictSchema.safeParse(parseJson(reply.value.body));
    // The service answers a refused token with 200 and sometimes 4xx, both with a verdict.
    if (verdict.success && reply.value.status < 500) return verdict.data;
    this.logger.warn(`the human check service answered ${reply.value.status} without a verdict`);
    return null;
  }

  private isOwnSite(hostname: string | undefined, requestHost: string): boolean {
    if (hostname === undefined || hostname === '') return true;
    const configured = [this.options.values().ServerAddress, this.env.serverAddress ?? '']
      .map((address) => URL.parse(address)?.hostname)
      .filter((host) => host !== undefined);
    const own = configured.length > 0 ? configured : [URL.parse(`http://${requestHost}`)?.hostname];
    return own.includes(hostname.toLowerCase());
  }
}

const isFor = ({ action = '' }: { readonly action?: string | undefined }, wanted: HumanAction): boolean =>
  action === '' || ACTIONS[wanted].includes(action);
