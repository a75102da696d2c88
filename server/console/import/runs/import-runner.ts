import { renderSentence, sentence, SentenceError } from '../../../common/import-sentences/sentence.js';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { OutboundPolicy } from '../../../infra/http-client/safe-url.js';
import type { Actor } from '../../../base/access/current-actor.js';
import { AuditLog } from '../../../base/audit/audit-log.js';
import type { ImportOrderInput } from '../dto/import.dto.js';
import type { ImportHouse, Progress } from '../import-house.js';
import type { ImportReport } from '../report.js';
import { type ImportOrder, runGuarded } from '../run-import.js';
import { undoGuarded } from '../undo-import.js';
import { ImportStopped } from '../write/import-context.js';
import { ImportUploads } from './import-uploads.js';
import { ImportRunning, type ImportTurn } from './import-lock.js';
import { ImportRunStore } from './import-run-store.js';
import type { RunKind } from './import-run.entity.js';
import { type NamedSource, namedSource } from './named-source.js';
import { faultOf, storedFault } from './run-fault.js';

/** Names the services of an import among those of the server. */
export const IMPORT_HOUSE = Symbol('IMPORT_HOUSE');

/** Shortest time between two records of the progress. */
const PROGRESS_MS = 500;
const DAY_SECONDS = 86_400;
/** Longest wait of a shutdown for the transaction that is being written. */
const LEAVE_MS = 5_000;

type Work = (turn: ImportTurn, progress: Progress) => Promise<ImportReport | null>;

/** Runs imports that root starts on the console: one at a time over all instances, in the background of the worker that answered. */
@Injectable()
export class ImportRunner implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Import');
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    @Inject(IMPORT_HOUSE) private readonly house: ImportHouse,
    private readonly store: ImportRunStore,
    private readonly uploads: ImportUploads,
    private readonly policy: OutboundPolicy,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Starts a trial or an import.
   * @returns the number of the run
   * Fails: import_running, import_source_missing, import_address_refused, import_file_missing, import_file_incomplete,
   * import_file_elsewhere.
   */
  async start(actor: Actor, input: ImportOrderInput): Promise<number> {
    const source = await this.sourceOf(input);
    const logsFrom =
      input.logs_address.trim() === '' ? '' : (await namedSource(input.logs_address, this.policy)).address;
    const order = this.orderOf(input, { from: source.address, logsFrom }, actor);
    const turn = await this.takeTurn();
    return this.begin(
      actor,
      input.trial ? 'trial' : 'import',
      { turn, source: source.label, importId: 0 },
      async (held, progress) => {
        const report = await runGuarded(this.house, order, progress, (manager) => held.guard(manager));
        // It holds keys of another installation, and nothing needs it any more.
        if (!order.isDryRun && input.file_id !== '') await this.uploads.remove();
        return report;
      },
    );
  }

  /** Starts to take an import back. Fails: import_running, not_found. */
  async undo(actor: Actor, importId: number): Promise<number> {
    const known = await this.store.importOf(importId);
    if (known === null || known.status === 'undone') throw new DomainError('not_found');
    const turn = await this.takeTurn();
    return this.begin(actor, 'undo', { turn, source: known.product, importId }, async (held) => {
      await undoGuarded(this.house, importId, actor, (manager) => held.guard(manager));
      return null;
    });
  }

  /** Asks the run to stop after its transaction. Fails: import_not_running. */
  async stop(actor: Actor): Promise<void> {
    if (!(await this.store.askToStop())) throw new DomainError('import_not_running');
    await this.record(actor, 'import.stop', '');
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, LEAVE_MS);
    await Promise.race([this.running, late.promise]);
    clearTimeout(timer);
  }

  private async sourceOf({ file_id: fileId, address }: ImportOrderInput): Promise<NamedSource> {
    if (fileId !== '') {
      const { path, name } = await this.uploads.pathOfComplete(fileId);
      return { address: `sqlite:${path}`, label: name };
    }
    if (address.trim() === '') throw new DomainError('import_source_missing');
    return namedSource(address, this.policy);
  }

  private orderOf(
    input: ImportOrderInput,
    { from, logsFrom }: { readonly from: string; readonly logsFrom: string },
    actor: Actor,
  ): ImportOrder {
    const { log_days: days } = input;
    const since =
      days === null || days === 0 ? 0 : Math.floor(this.house.nowMs() / 1_000) - days * DAY_SECONDS;
    return {
      from,
      isDryRun: input.trial,
      only: input.parts === null ? null : new Set(input.parts),
      optionSections: input.sections === null ? null : new Set(input.sections),
      conflicts: input.conflicts,
      takesOverRoot: input.takes_over_root,
      converts: input.converts,
      logs: days === null ? null : { since, from: logsFrom },
      config: null,
      actor: { id: actor.id, username: actor.username },
    };
  }

  private async takeTurn(): Promise<ImportTurn> {
    try {
      return await this.house.lock.take(false);
    } catch (error) {
      if (error instanceof ImportRunning) throw new DomainError('import_running', { place: error.place });
      throw error;
    }
  }

  private async begin(
    actor: Actor,
    kind: RunKind,
    {
      turn,
      source,
      importId,
    }: { readonly turn: ImportTurn; readonly source: string; readonly importId: number },
    work: Work,
  ): Promise<number> {
    try {
      const startedAtMs = this.house.nowMs();
      const { fence } = turn;
      const id = await this.store.begin({ kind, source, importId, fence, actorId: actor.id, startedAtMs });
      if (kind === 'trial') await this.record(actor, 'import.trial', source);
      this.running = this.carryOut(id, turn, work);
      return id;
    } catch (error) {
      await turn.finish('it could not begin');
      throw error;
    }
  }

  /** Never fails: how the run ended is in its row. */
  private async carryOut(id: number, turn: ImportTurn, work: Work): Promise<void> {
    const { store, house } = this;
    try {
      const report = await work(turn, this.progressOf(id));
      await store.end(id, {
        status: 'done',
        endedAtMs: house.nowMs(),
        ...(report === null ? {} : { report: JSON.stringify(report), importId: report.importId }),
      });
      await turn.finish(null);
    } catch (error) {
      const fault = faultOf(error);
      const text = renderSentence(fault, 'en');
      if (!(error instanceof SentenceError)) this.logger.error(`import run ${id} failed: ${text}`);
      const status = error instanceof ImportStopped ? 'stopped' : 'failed';
      await store
        .end(id, { status, fault: storedFault(fault), endedAtMs: house.nowMs() })
        .catch((cause: unknown) =>
          this.logger.warn(`the end of import run ${id} was not stored: ${String(cause)}`),
        );
      // A lease that cannot be returned runs out.
      await turn.finish(text).catch(() => undefined);
    }
  }

  private progressOf(id: number): Progress {
    let part = '';
    let partStartedAtMs = 0;
    let storedAtMs = 0;
    return async (kind, { found, added, moved }) => {
      const nowMs = this.house.nowMs();
      if (this.isStopping) throw new ImportStopped(sentence('run_server_stops'));
      if (kind === part && nowMs - storedAtMs < PROGRESS_MS) return;
      if (kind !== part) partStartedAtMs = nowMs;
      part = kind;
      storedAtMs = nowMs;
      const isStopAsked = await this.store.advance(id, {
        part,
        done: added + moved,
        found,
        partMs: nowMs - partStartedAtMs,
      });
      if (isStopAsked) throw new ImportStopped(sentence('run_was_stopped'));
    };
  }

  private async record(actor: Actor, action: 'import.trial' | 'import.stop', source: string): Promise<void> {
    await this.audit.record(null, {
      actorId: actor.id,
      actorRole: actor.role,
      action,
      targetType: 'import',
      targetId: 0,
      detail: source === '' ? {} : { source },
    });
  }
}
