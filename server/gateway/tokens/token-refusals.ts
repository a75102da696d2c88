import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { cleanLine, storableText } from '../../common/text.js';
import { Clock } from '../../common/clock.js';
import { redactName } from '../../infra/observability/redact.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { RefusalNotes } from '../../relay-core/ports/refusal-notes.js';
import { type TokenRefusal, TokensRepository } from './tokens.repository.js';
import { StoredCallerDirectory } from './stored-caller-directory.js';

/** A token's refusals are written so often at most. */
const FLUSH_MS = 1_000;
/** Tokens that wait to be written; beyond it new ones are dropped. */
const MAX_WAITING = 200;
const MAX_TEXT = 300;

/** Keeps the last refusal of each token, of calls with a known key and of keys that are refused themselves. */
@Injectable()
export class TokenRefusals extends RefusalNotes implements OnApplicationShutdown {
  private readonly logger = new Logger('TokenRefusals');
  private waiting = new Map<number, TokenRefusal>();
  private writing: Promise<void> = Promise.resolve();
  private isScheduled = false;

  constructor(
    private readonly tokens: TokensRepository,
    private readonly clock: Clock,
    directory: StoredCallerDirectory,
  ) {
    super();
    directory.watchRefusals((tokenId, error) => this.note(tokenId, error));
  }

  override note(tokenId: number | null, error: RelayError): void {
    if (tokenId === null || error.kind === 'client-gone') return;
    if (this.waiting.size >= MAX_WAITING && !this.waiting.has(tokenId)) return;
    this.waiting.set(tokenId, {
      refusedAtMs: this.clock.nowMs(),
      refusedKind: error.kind,
      refusedText: storableText(
        Array.from(redactName(cleanLine(error.message)))
          .slice(0, MAX_TEXT)
          .join(''),
      ),
    });
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.clock.after(FLUSH_MS, () => {
      this.isScheduled = false;
      void this.flush();
    });
  }

  /** Writes what is waiting. Never fails: a refusal that cannot be written is dropped, with a warning. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.writeAll());
    return this.writing;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  private async writeAll(): Promise<void> {
    const { waiting } = this;
    this.waiting = new Map();
    for (const [tokenId, refusal] of waiting) {
      try {
        await this.tokens.noteRefusal(tokenId, refusal);
      } catch (error) {
        this.logger.warn(`the last refusals of tokens were not written: ${String(error)}`);
        return;
      }
    }
  }
}
