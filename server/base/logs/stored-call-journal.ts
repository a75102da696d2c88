import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { cleanText, storableText } from '../../common/text.js';
import { Env } from '../../config/env.js';
import { isRejectedRow } from '../../infra/database/database-faults.js';
import { redactName, redactSecrets } from '../../infra/observability/redact.js';
import { billedTokens } from '../../relay-core/model/billed-usage.js';
import { CallJournal, type FailedCall, type UnchargedAttempts } from '../../relay-core/ports/call-journal.js';
import { loggedAttempt } from '../../relay-core/model/logged-attempt.js';
import { type NamedRefusal, namedRefusal } from '../../relay-core/model/named-refusal.js';
import { joinTags } from '../../relay-core/model/tag-text.js';
import { operatorSentence } from '../../relay-core/model/relay-error.js';
import { Clock } from '../../common/clock.js';
import { AttemptRecorder } from '../channel-statistics/attempt-recorder.js';
import { AttemptTotals } from '../channel-statistics/attempt-totals.js';
import { attemptOf, hadFailedAttempt } from '../channel-statistics/counted-attempts.js';
import { LOG_TYPE } from './log.codes.js';
import type { NewLogLine } from './insert-lines.js';
import { LogsRepository } from './logs.repository.js';

const FLUSH_MS = 500;
const MAX_BATCH = 100;
/** Lines waiting while the database is slow; beyond it the newest are dropped and counted. */
const MAX_WAITING = 2_000;
/** Sums of attempts waiting: models, channels and reasons are the operator's, so there are few. */
const MAX_TOTALS = 2_000;
const MAX_CONTENT_CHARACTERS = 2_000;
const MAX_MODEL_CHARACTERS = 255;
const MAX_VALUE_CHARACTERS = 300;

/** Error lines (type 5) of calls that failed, and their attempts, written in the background. Losing one is not a fault: nothing was charged. */
@Injectable()
export class StoredCallJournal extends CallJournal implements OnApplicationShutdown {
  private readonly logger = new Logger('CallJournal');
  private waiting: NewLogLine[] = [];
  private totals = new AttemptTotals();
  private writing: Promise<void> = Promise.resolve();
  private isScheduled = false;
  private droppedCount = 0;

  constructor(
    private readonly logs: LogsRepository,
    private readonly clock: Clock,
    private readonly env: Env,
    private readonly recorder: AttemptRecorder,
  ) {
    super();
  }

  override recordFailure(call: FailedCall): void {
    if (!this.env.errorLogEnabled) return;
    if (this.waiting.length >= MAX_WAITING) {
      this.droppedCount += 1;
      return;
    }
    this.waiting.push(lineOf(call));
    this.schedule();
  }

  override countAttempts({ model, attempts }: UnchargedAttempts): void {
    if (this.totals.size >= MAX_TOTALS) return;
    this.totals.add(modelNameOf(model), this.clock.nowMs(), attempts.map(attemptOf));
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.clock.after(FLUSH_MS, () => {
      this.isScheduled = false;
      void this.flush();
    });
  }

  /**
   * Writes what is waiting, and not what comes meanwhile: calls may fail faster than a slow database takes lines about them, which
   * charges wait for, too. Never fails: lines that cannot be written are dropped, with a warning.
   */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.writeAll());
    return this.writing;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  private async writeAll(): Promise<void> {
    const { waiting: lines, totals } = this;
    this.waiting = [];
    this.totals = new AttemptTotals();
    for (let from = 0; from < lines.length; from += MAX_BATCH)
      await this.write(lines.slice(from, from + MAX_BATCH));
    await this.writeTotals(totals);
    if (this.droppedCount > 0) {
      this.logger.warn(`${this.droppedCount} error lines were dropped`);
      this.droppedCount = 0;
    }
  }

  /** Once: sums that may be written already are not written again. */
  private async writeTotals(totals: AttemptTotals): Promise<void> {
    try {
      await this.recorder.write(totals);
    } catch (error) {
      this.logger.warn(`attempts of failed calls were not counted: ${String(error)}`);
    }
  }

  /** Row by row where the database rejects one of them: a line that cannot be stored costs no other call its line. */
  private async write(lines: readonly NewLogLine[]): Promise<void> {
    try {
      await this.logs.insertMany(lines);
    } catch (error) {
      if (lines.length > 1 && isRejectedRow(error)) {
        for (const line of lines) await this.write([line]);
        return;
      }
      this.droppedCount += lines.length;
      this.logger.warn(`${lines.length} error lines were not written: ${String(error)}`);
    }
  }
}

const modelNameOf = (model: string): string => storableText(redactName(model).slice(0, MAX_MODEL_CHARACTERS));

/** Texts of a failed call come from its caller and its vendor: a key pasted as a model name or into a path is cut out before it is stored. */
function lineOf(call: FailedCall): NewLogLine {
  const { caller, error, attempts } = call;
  const last = attempts.at(-1);
  const billed = billedTokens(attempts);
  const { model } = call.shape;
  const modelName = redactName(model);
  const named = namedRefusal(error);
  const redact = (text: string): string =>
    redactSecrets(modelName === model ? text : text.replaceAll(model, modelName));
  return {
    userId: caller.userId,
    createdAt: Math.floor((call.startedAtMs + call.durationMs) / 1000),
    type: LOG_TYPE.error,
    content: storableText(redact(cleanText(error.message)).slice(0, MAX_CONTENT_CHARACTERS)),
    username: caller.username,
    tokenName: caller.tokenName,
    modelName: modelNameOf(model),
    quota: 0,
    promptTokens: 0,
    completionTokens: 0,
    useTime: Math.round(call.durationMs / 1000),
    isStream: call.shape.stream,
    channelId: last?.channelId ?? 0,
    tokenId: caller.tokenId ?? 0,
    hadFailedAttempt: hadFailedAttempt(attempts),
    group: caller.group,
    tags: joinTags(caller.tags ?? []),
    endUser: caller.endUser ?? '',
    other: JSON.stringify({
      error_type: error.blame === 'upstream' ? redact(error.vendorType ?? 'upstream_error') : error.blame,
      error_code: error.blame === 'upstream' ? redact(error.vendorCode ?? error.kind) : error.kind,
      status_code: call.status,
      duration_ms: Math.max(0, Math.round(call.durationMs)),
      ...(named === undefined
        ? {}
        : { refusal: { code: named.code, values: redactedValues(named, redact) } }),
      channel_id: last?.channelId ?? 0,
      channel_name: last?.channelName ?? '',
      request_path: redactName(call.path),
      ...(billed === undefined ? {} : { upstream_usage: billed }),
      admin_info: {
        use_channel: attempts.map((attempt) => String(attempt.channelId)),
        attempts: attempts.map(loggedAttempt),
        ...(operatorSentence(error) === error.message
          ? {}
          : { upstream_error: redact(operatorSentence(error)) }),
      },
    }),
    requestId: call.callId,
  };
}

const redactedValues = ({ values }: NamedRefusal, redact: (text: string) => string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([mark, value]) => [
      mark,
      storableText(redact(cleanText(value)).slice(0, MAX_VALUE_CHARACTERS)),
    ]),
  );
