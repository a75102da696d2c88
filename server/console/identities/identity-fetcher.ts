import { Injectable, Logger } from '@nestjs/common';
import type { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import type { BoundedReply } from '../../infra/http-client/fetch-bounded.js';
import { OutboundClient } from '../../infra/http-client/outbound-client.js';
import type { UpstreamFault } from '../../relay-core/ports/http-sender.js';
import { parseJson } from '../../common/parse-json.js';

/** A provider gets this long for one answer, and this much. */
const LIMITS = { timeoutMs: 5_000, maxBytes: 256 * 1024 } as const;

export interface IdentityRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** `identity_unreachable`, with the reason: for the operator, never for the user who signs in. */
export class ProviderUnreachable extends DomainError {
  constructor(
    label: string,
    readonly fault: UpstreamFault,
  ) {
    super('identity_unreachable', { provider: label });
  }
}

/** Requests to identity providers, through the outbound policy, within a time and a size. */
@Injectable()
export class IdentityFetcher {
  private readonly logger = new Logger('Identities');

  constructor(private readonly outbound: OutboundClient) {}

  /**
   * Sends one request; redirects are not followed.
   * @param label  the provider's display name
   * Fails: ProviderUnreachable; users do not see the reason.
   */
  async send(label: string, { method, url, headers = {}, body }: IdentityRequest): Promise<BoundedReply> {
    const request = {
      method,
      url,
      headers: { accept: 'application/json', 'user-agent': 'tollgate', ...headers },
      body: body === undefined ? undefined : Buffer.from(body),
    };
    const reply = await this.outbound.fetch('identity', request, LIMITS);
    if (reply.ok) return reply.value;
    const cause = reply.error.cause instanceof Error ? `: ${reply.error.cause.message}` : '';
    this.logger.warn(`${label} cannot be reached (${reply.error.kind}${cause})`);
    throw new ProviderUnreachable(label, reply.error);
  }

  /**
   * The answer as JSON of a known form.
   * Fails: DomainError `identity_refused` for a status other than 200, `identity_answer_unreadable` for another form.
   */
  readJson<T>(label: string, reply: BoundedReply, schema: z.ZodType<T>): T {
    if (reply.status !== 200) {
      this.logger.warn(`${label} answered with status ${reply.status}`);
      throw new DomainError('identity_refused', { provider: label });
    }
    const parsed = schema.safeParse(parseJson(reply.body));
    if (parsed.success) return parsed.data;
    this.logger.warn(
      `${label} answered in an unknown form (see ${parsed.error.issues[0]?.path.join('.') || 'the whole of it'})`,
    );
    throw new DomainError('identity_answer_unreadable', { provider: label });
  }
}
