import { Injectable, Logger } from '@nestjs/common';
import { cleanText } from '../../common/text.js';
import { Clock } from '../../common/clock.js';
import type { LogEvent } from './log-event.js';
import type { LogType } from './log.codes.js';
import { LogsRepository } from './logs.repository.js';

/** A line that is not a call: top-up, administration, system. */
export interface LogNote {
  readonly type: LogType;
  /** Account in whose log it appears. */
  readonly userId: number;
  readonly username: string;
  readonly content: string;
  /** Quota the line is about; only shown. */
  readonly quota?: number;
  /** The same as `content`, as a code and facts; its owner sees it too. */
  readonly event: LogEvent;
  /** Further facts; members under `admin_info` are hidden from users. */
  readonly other?: Readonly<Record<string, unknown>>;
  /** Subject of the line, such as `top-up:17`: a line with the same key is written once. At most 36 characters. */
  readonly onceKey?: string;
}

/** Writes lines of types 1, 3 and 4. Calls (2) are written by the billing module's flusher, failures (5) by the call journal. */
@Injectable()
export class LogWriter {
  private readonly logger = new Logger('UsageLog');

  constructor(
    private readonly logs: LogsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Call after the change was committed: the log may live in another database. A line that cannot be written is reported in the
   * server's own log and fails no request: the change is made, its requester must get the answer, and ledger and audit log have it.
   * Fails: for lines with a key only, which their owner writes again.
   */
  async write(note: LogNote): Promise<void> {
    try {
      await this.insert(note);
    } catch (error) {
      if (note.onceKey !== undefined) throw error;
      const { code } = note.event;
      this.logger.warn(
        `a line of the log was not written (${code}, account ${note.userId}): ${String(error)}`,
      );
    }
  }

  private async insert(note: LogNote): Promise<void> {
    await this.logs.insertMany([
      {
        userId: note.userId,
        createdAt: Math.floor(this.clock.nowMs() / 1000),
        type: note.type,
        content: cleanText(note.content),
        username: note.username,
        tokenName: '',
        modelName: '',
        quota: note.quota ?? 0,
        promptTokens: 0,
        completionTokens: 0,
        useTime: 0,
        isStream: false,
        channelId: 0,
        tokenId: 0,
        hadFailedAttempt: 0,
        group: '',
        other: JSON.stringify({ ...note.other, event: note.event }),
        requestId: note.onceKey ?? null,
      },
    ]);
  }
}
