import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { ROLE } from '../../base/access/user.codes.js';
import type { Actor } from '../../base/access/current-actor.js';
import { IMPORTED_LINE } from '../../base/billing/opening/imported-line.js';
import { type CallExplanation, ExplainService } from '../../base/billing/checks/explain.service.js';
import { ChannelNames } from '../../gateway/channels/state/channel-names.js';
import type { ChargeExplanationView } from './dto/log.dto.js';
import type { LogEntity } from '../../base/logs/log.entity.js';
import { LogsService } from './logs.service.js';
import { isJsonObject } from '../../common/parse-json.js';
import { readOther } from './present-log.js';

type AttemptView = ChargeExplanationView['attempts'][number];

/** Course of a call, and the explanation of its charge. */
@Injectable()
export class ExplanationsService {
  constructor(
    private readonly explain: ExplainService,
    private readonly logs: LogsService,
    private readonly channelNames: ChannelNames,
  ) {}

  /**
   * @param reference  request id of the call, or for administrators the row id of its log line
   * Fails: not_found, also for another account's call; explanation_imported, when another gateway computed the charge.
   */
  async of(actor: Actor, reference: string): Promise<ChargeExplanationView> {
    const seesAll = actor.role >= ROLE.admin;
    const line = await this.logs.find({ userId: actor.id, seesAll }, reference);
    const imported = line === null ? undefined : importOf(line);
    if (imported !== undefined) throw new DomainError('explanation_imported', imported);
    const callId = line === null ? reference.toLowerCase() : line.requestId;
    if (callId === null || !callId.includes('-')) throw new DomainError('not_found');
    // The settlement is the proof; the log line, which may be late or pruned, only adds what happened.
    const explanation = await this.explain.explain(callId, seesAll ? undefined : actor.id);
    if (explanation === undefined) throw new DomainError('not_found');
    const attempts = seesAll && line !== null ? await this.attemptsOf(line) : [];
    return present(explanation, line, attempts);
  }

  private async attemptsOf(line: LogEntity): Promise<AttemptView[]> {
    const attempts = readAttempts(line.other);
    const names = await this.channelNames.of(attempts.map((attempt) => attempt.channel_id));
    return attempts.map((attempt) => ({
      ...attempt,
      channel_name:
        attempt.channel_name === '' ? (names.get(attempt.channel_id) ?? '') : attempt.channel_name,
    }));
  }
}

/** The gateway that computed the charge of an imported line, and its number there; undefined = the line is of this one. */
function importOf({ requestId, other }: LogEntity): { product: string; id: string } | undefined {
  if (requestId?.startsWith(IMPORTED_LINE) !== true) return undefined;
  const { imported } = readOther(other);
  const origin = isJsonObject(imported) ? imported : {};
  return { product: textOr(origin['from']), id: textOr(origin['id']) };
}

function present(
  explanation: CallExplanation,
  line: LogEntity | null,
  attempts: AttemptView[],
): ChargeExplanationView {
  const { snapshot, usage } = explanation;
  return {
    request_id: explanation.callId,
    created_at: Math.floor(explanation.createdAtMs / 1000),
    model: explanation.model,
    group: snapshot.group,
    outcome: explanation.outcome,
    evidence: explanation.evidence,
    price_revision: snapshot.revision,
    is_price_unset: snapshot.mode === 'ratio' && snapshot.unset === true,
    prompt_tokens: usage.input.total ?? 0,
    completion_tokens: usage.output.total ?? 0,
    charge: {
      mode: explanation.mode,
      steps: explanation.steps.map((step) => ({ ...step })),
      base_ratio: explanation.baseRatio,
      group_ratio: explanation.groupRatio,
      agreed_for:
        snapshot.userGroup === undefined
          ? null
          : { account_group: snapshot.userGroup, models: snapshot.modelPattern ?? null },
      tier:
        explanation.tier === undefined
          ? null
          : {
              above: explanation.tier.above,
              input: explanation.tier.input,
              output: explanation.tier.output,
            },
      service_tier: explanation.serviceTier === undefined ? null : { ...explanation.serviceTier },
      factor: explanation.factor === undefined ? null : { ...explanation.factor },
      exact: explanation.exact,
      rounding: explanation.rounding,
      priced: explanation.priced,
      charged: explanation.charged,
      writeoff: explanation.writeoff,
      correction: explanation.correction,
      is_consistent: explanation.isConsistent,
      formula: explanation.formula,
    },
    limits: explanation.limits.map(({ limitId, measure, periodStartMs, used }) => ({
      limit_id: limitId,
      measure,
      period_start: Math.floor(periodStartMs / 1_000),
      used,
    })),
    is_stream: line !== null && Boolean(line.isStream),
    first_byte_ms: line === null ? null : firstByteOf(line.other),
    duration_ms: line === null ? null : durationOf(line),
    attempts,
  };
}

/** `frt` is negative when nothing was streamed. */
function firstByteOf(other: string): number | null {
  const { frt } = readOther(other);
  return typeof frt === 'number' && frt >= 0 ? Math.round(frt) : null;
}

/** To the millisecond where the log has it, else the whole seconds of the line. */
function durationOf(line: LogEntity): number {
  const { duration_ms: durationMs } = readOther(line.other);
  return typeof durationMs === 'number' ? Math.round(durationMs) : line.useTime * 1000;
}

/** Tries in order: with times where the log has them, else the bare list of channel ids. */
function readAttempts(other: string): AttemptView[] {
  const { admin_info: admin } = readOther(other);
  if (!isJsonObject(admin)) return [];
  const { attempts, use_channel: channelIds } = admin;
  if (Array.isArray(attempts)) return attempts.filter(isJsonObject).map(toAttempt);
  if (!Array.isArray(channelIds)) return [];
  return channelIds.map((id: unknown) => toAttempt({ channel_id: Number(id) }));
}

function toAttempt(attempt: Record<string, unknown>): AttemptView {
  return {
    channel_id: integerOr(attempt['channel_id'], 0),
    channel_name: textOr(attempt['channel_name']),
    started_at_ms: integerOr(attempt['started_at_ms'], null),
    ended_at_ms: integerOr(attempt['ended_at_ms'], null),
    failure: textOr(attempt['failure']),
    upstream_status: integerOr(attempt['upstream_status'], null),
  };
}

const integerOr = <T>(value: unknown, fallback: T): number | T =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : fallback;

const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');
