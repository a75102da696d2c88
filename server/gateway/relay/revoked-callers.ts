import { getOrAdd } from '../../common/get-or-add.js';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { Interval } from '../../infra/schedule/interval.js';
import type { Caller } from '../../relay-core/model/call.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { CallerDirectory } from '../../relay-core/ports/caller-directory.js';

/** Without news (Redis is away) a closed key or account ends what it has running within this time and the second an answer may be old. */
const CHECK_INTERVAL_MS = 3_500;
/** Keys looked up at once: running calls must not fill the queue for the database. */
const AT_ONCE = 8;

/** Something a caller has running. */
export interface RunningWork {
  /** Undefined until it is known. */
  readonly caller: Caller | undefined;
  /** The key as the client sent it; null = none could be found. */
  readonly credential: string | null;
  /** Directory that identifies this caller; absent = callers are identified by their keys. */
  readonly callers?: CallerDirectory | undefined;
  /** Ends it with that refusal; what it produced is charged. */
  terminate(refusal: RelayError): void;
}

/**
 * Ends the running calls of keys and accounts once they are switched off, banned or deleted, on every instance: on notification,
 * and by regular checks, since a message can be lost.
 */
@Injectable()
export class RevokedCallers implements OnApplicationShutdown {
  private readonly logger = new Logger('Relay');
  private readonly sources: (() => readonly RunningWork[])[] = [];
  private readonly stopListening: readonly (() => void)[];

  constructor(
    @Inject(CallerDirectory) private readonly callers: CallerDirectory,
    changes: ChangeFeed,
  ) {
    this.stopListening = [
      changes.on('token', (id) => void this.checkInBackground((caller) => caller.tokenId === id)),
      changes.on('user', (id) => void this.checkInBackground((caller) => caller.userId === id)),
    ];
  }

  /** @param running  what there is to end, asked for at every look */
  watch(running: () => readonly RunningWork[]): void {
    this.sources.push(running);
  }

  onApplicationShutdown(): void {
    for (const stop of this.stopListening) stop();
  }

  @Interval('closed-callers', CHECK_INTERVAL_MS)
  async checkAll(): Promise<void> {
    await this.checkInBackground(() => true);
  }

  private async checkInBackground(isConcerned: (caller: Caller) => boolean): Promise<void> {
    try {
      await this.look(isConcerned);
    } catch (fault) {
      this.logger.error(`running calls could not be looked at again: ${String(fault)}`);
    }
  }

  private async look(isConcerned: (caller: Caller) => boolean): Promise<void> {
    const byKey = new Map<string, RunningWork[]>();
    const alone: RunningWork[] = [];
    for (const source of this.sources) {
      for (const work of source()) {
        if (work.caller === undefined || work.credential === null || !isConcerned(work.caller)) continue;
        if (work.callers !== undefined) alone.push(work);
        else getOrAdd(byKey, work.credential, () => []).push(work);
      }
    }
    const questions = [...byKey, ...alone.map((work) => [work.credential ?? '', [work]] as const)];
    for (let start = 0; start < questions.length; start += AT_ONCE) {
      await Promise.all(
        questions.slice(start, start + AT_ONCE).map(async ([credential, works]) => {
          const refusal = await (works[0]?.callers ?? this.callers).findClosure(credential);
          if (refusal !== null) for (const work of works) work.terminate(refusal);
        }),
      );
    }
  }
}
