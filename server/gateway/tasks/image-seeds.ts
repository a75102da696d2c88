import { Injectable } from '@nestjs/common';
import { fail, ok, type Result } from '../../common/result.js';
import type { Caller } from '../../relay-core/model/call.js';
import { refusal } from '../../relay-core/model/refusals.js';
import { type RelayError, shownUpstreamStatus, vendorErrorIn } from '../../relay-core/model/relay-error.js';
import { scrubText } from '../../relay-core/model/text-scrub.js';
import { readFailedReply } from '../../relay-core/providers/shared/openai-compatible-error.js';
import { parseDocument } from '../../relay-core/formats/shared/fields/json-fields.js';
import { CallJournal } from '../../relay-core/ports/call-journal.js';
import { Clock } from '../../common/clock.js';
import type { DrawingEntity } from './drawing.entity.js';
import { type TaskAccount, TaskAccounts } from './task-account.js';

const LIMITS = { timeoutMs: 30_000, maxBytes: 64 * 1024 } as const;
const MAX_RESULT_CHARACTERS = 1_000;
const FOUND = 1;
/** Maximum number of concurrent requests of this process. */
const MAX_AT_ONCE = 32;

/** An upstream's answer as it is passed on. */
export interface SeedAnswer {
  readonly code: number;
  readonly description: string;
  readonly result: string;
}

/** Caller, task and channel of a request for a seed. */
export interface SeedQuestion {
  readonly callId: string;
  readonly caller: Caller;
  readonly path: string;
}

/** The number a drawing began with: only the channel that drew it knows. */
@Injectable()
export class ImageSeeds {
  private underWay = 0;

  constructor(
    private readonly accounts: TaskAccounts,
    private readonly journal: CallJournal,
    private readonly clock: Clock,
  ) {}

  /**
   * Failures of the upstream are in the log of failed calls.
   * Fails: unavailable, channel-unavailable, upstream-unreachable, -timeout, -malformed, -request-rejected.
   */
  async ask(drawing: DrawingEntity, question: SeedQuestion): Promise<Result<SeedAnswer, RelayError>> {
    const startedAtMs = this.clock.nowMs();
    const seed = await this.queryInTurn(drawing);
    if (!seed.ok && seed.error.blame === 'upstream')
      this.recordFailure(drawing, question, { error: seed.error, startedAtMs });
    return seed;
  }

  private recordFailure(
    { channelId, action }: DrawingEntity,
    question: SeedQuestion,
    { error, startedAtMs }: { readonly error: RelayError; readonly startedAtMs: number },
  ): void {
    const endedAtMs = this.clock.nowMs();
    this.journal.recordFailure({
      ...question,
      error,
      startedAtMs,
      shape: { operation: 'submit', model: `mj_${action.toLowerCase()}`, stream: false },
      status: shownUpstreamStatus(error) ?? 502,
      durationMs: Math.max(0, endedAtMs - startedAtMs),
      attempts: [{ channelId, channelName: '', startedAtMs, endedAtMs, failure: error.kind }],
    });
  }

  private async queryInTurn(drawing: DrawingEntity): Promise<Result<SeedAnswer, RelayError>> {
    if (this.underWay >= MAX_AT_ONCE) return fail(BUSY);
    this.underWay += 1;
    try {
      return await this.queryChannel(drawing);
    } finally {
      this.underWay -= 1;
    }
  }

  private async queryChannel(drawing: DrawingEntity): Promise<Result<SeedAnswer, RelayError>> {
    const account = await this.accounts.open(drawing.channelId);
    if (account === null) return fail(GONE);
    let last: Result<SeedAnswer, RelayError> = fail(GONE);
    // One of several keys belongs to the account that drew it.
    for (const key of account.keys) {
      last = await this.queryOne(account, key, drawing.mjId);
      if (!last.ok || last.value.code === FOUND) return last;
    }
    return last;
  }

  private async queryOne(
    account: TaskAccount,
    key: string,
    mjId: string,
  ): Promise<Result<SeedAnswer, RelayError>> {
    const reply = await this.accounts.ask(
      account,
      {
        method: 'GET',
        path: `/mj/task/${encodeURIComponent(mjId)}/image-seed`,
        headers: { 'mj-api-secret': key },
      },
      LIMITS,
    );
    if (!reply.ok) {
      const kind = reply.error.kind === 'timeout' ? 'upstream-timeout' : 'upstream-unreachable';
      return fail({ ...refusal('drawing-unasked'), kind, cause: reply.error.cause });
    }
    const { status, body } = reply.value;
    if (status !== 200) {
      return fail({
        ...refusal('no-seed'),
        upstreamStatus: status,
        ...vendorErrorIn(readFailedReply(reply.value, [key])),
      });
    }
    const document = parseDocument(body.toString('utf8'));
    const code = document?.['code'];
    if (document === undefined || typeof code !== 'number') return fail(refusal('no-answer'));
    return ok({
      code,
      description: scrubText(textIn(document['description']), [key]),
      result: textIn(document['result']).slice(0, MAX_RESULT_CHARACTERS),
    });
  }
}

const textIn = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const BUSY: RelayError = { ...refusal('seeds-full'), retryAfterMs: 1_000 };

const GONE: RelayError = refusal('drawing-channel-gone');
