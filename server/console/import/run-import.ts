import { renderSentence, sentence, SentenceError } from '../../common/import-sentences/sentence.js';
import { readForeign, type ForeignSource } from '../../infra/database/foreign-source.js';
import { advanceSequence } from '../../infra/database/advance-sequence.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import type { OptionSection } from '../../base/options/option-sections.js';
import type { OptionsService } from '../../base/options/options.service.js';
import { ROLE } from '../../base/access/user.codes.js';
import { convertContents } from './convert-contents.js';
import type { ImportPart } from './import-parts.js';
import type { ImportHouse, Progress } from './import-house.js';
import { ImportEntity } from './import.entity.js';
import { importLogs, type LogOrder } from './logs/import-logs.js';
import { issuersOf } from './issuers.js';
import { NO_CONFIG, readConfigFile } from './read/litellm/config-file.js';
import { readLitellm } from './read/litellm/read-litellm.js';
import { readFamily } from './read/read-family.js';
import { type ImportReport, orderNotes } from './report.js';
import { type RecognisedSource, recogniseSource } from './source/products.js';
import type { SourceContents } from './source/records.js';
import { ImportContext, ImportStopped, type TransactionGuard } from './write/import-context.js';
import { Journal } from './write/journal.js';
import { findKnownImport, isFresh } from './write/known-import.js';
import { reconcile } from './write/reconcile.js';
import { differencesOf, takeOptions } from './write/take-options.js';
import { writeChannels } from './write/write-channels.js';
import { writeLimits } from './write/write-limits.js';
import { writeTasks } from './write/write-tasks.js';
import { writeTokens } from './write/write-tokens.js';
import { writeUsers } from './write/write-users.js';
import { writeCodes, writeOrders } from './write/write-wallet.js';

/** An import as an operator orders it. */
export interface ImportOrder {
  readonly from: string;
  readonly isDryRun: boolean;
  /** Null = everything. */
  readonly only: ReadonlySet<ImportPart> | null;
  readonly conflicts: 'skip' | 'rename';
  /** Sections whose options are taken; null = all, in an installation that is empty or with the part `options`. */
  readonly optionSections: ReadonlySet<OptionSection> | null;
  readonly takesOverRoot: boolean;
  /** Amounts are converted where a dollar has another number of quota units here. */
  readonly converts: boolean;
  /** Text of LiteLLM's configuration file; null = none. */
  readonly config: string | null;
  /** Null = without the log. */
  readonly logs: LogOrder | null;
  readonly actor: { readonly id: number; readonly username: string };
}

/** The import cannot begin; the message says what to do. Nothing was written. */
export class ImportRefused extends SentenceError {}

/**
 * Imports another gateway's database, or reports what an import would do. Every row is written with its journal entry in one small
 * transaction, so that a run that was killed is gone on with by the next.
 * Fails: ImportRunning, ImportRefused, UnknownSourceError, ForeignSourceError, ImportStopped; the driver's error of the database here.
 */
export async function runImport(
  house: ImportHouse,
  order: ImportOrder,
  progress: Progress,
): Promise<ImportReport> {
  if (order.isDryRun) return runGuarded(house, order, progress, NO_GUARD);
  return house.lock.during((turn) => runGuarded(house, order, progress, (manager) => turn.guard(manager)));
}

const NO_GUARD: TransactionGuard = async () => undefined;

/** Imports as `runImport` does, under a lease that the caller holds. @param guard  of the lease */
export async function runGuarded(
  house: ImportHouse,
  order: ImportOrder,
  progress: Progress,
  guard: TransactionGuard,
): Promise<ImportReport> {
  return readForeign(order.from, async (source) => {
    const recognised = recogniseSource(await source.tables());
    const contents = await readContents(source, recognised, house, order.config);
    const known = await findKnownImport(house.dataSource, house.tokenKeys, recognised.product, contents);
    const keepsNumbers = known === null ? await isFresh(house.dataSource) : known.keepsNumbers === 1;
    const plan = { source, recognised, contents, known, keepsNumbers, guard };
    return order.isDryRun
      ? execute(house, order, plan, { importId: known?.id ?? 0, run: (known?.runs ?? 0) + 1 }, progress)
      : recorded(house, order, plan, progress);
  });
}

interface Plan {
  readonly source: ForeignSource;
  readonly recognised: RecognisedSource;
  readonly contents: SourceContents;
  readonly known: ImportEntity | null;
  readonly keepsNumbers: boolean;
  readonly guard: TransactionGuard;
}

async function readContents(
  source: ForeignSource,
  recognised: RecognisedSource,
  house: ImportHouse,
  config: string | null,
): Promise<SourceContents> {
  const { product } = recognised;
  if (product === 'litellm') {
    const { salt, master } = house.litellmSecrets;
    const { variables } = house;
    return readLitellm(source, {
      secrets: [salt, master].filter((secret) => secret !== undefined),
      nowMs: house.nowMs(),
      options: house.options.values(),
      variables,
      config: config === null ? NO_CONFIG : readConfigFile(config, variables),
    });
  }
  if (config !== null) throw new ImportRefused(sentence('config_of_other_product', { product }));
  return readFamily(source, { ...recognised, product }, house.nowMs());
}

/** Runs the import under a row of its own, which records its outcome. */
async function recorded(
  house: ImportHouse,
  order: ImportOrder,
  plan: Plan,
  progress: Progress,
): Promise<ImportReport> {
  const { known, recognised, keepsNumbers } = plan;
  const imports = house.dataSource.getRepository(ImportEntity);
  refuseOtherUnit(house, order, plan);
  const started = {
    product: recognised.product,
    productVersion: recognised.version.slice(0, 64),
    status: 'running',
    keepsNumbers: keepsNumbers ? 1 : 0,
    runs: (known?.runs ?? 0) + 1,
    actorId: order.actor.id,
    endedAtMs: null,
  };
  const row = imports.create({
    ...started,
    report: known?.report ?? '',
    createdAtMs: known?.createdAtMs ?? house.nowMs(),
  });
  if (known === null) await imports.insert(row);
  else await imports.update({ id: known.id }, started);
  const importId = known?.id ?? row.id;
  const end = async (status: string, report?: ImportReport): Promise<void> => {
    await imports.update(
      { id: importId },
      {
        status,
        endedAtMs: house.nowMs(),
        ...(report === undefined ? {} : { report: JSON.stringify(report) }),
      },
    );
  };
  try {
    const report = await execute(house, order, plan, { importId, run: started.runs }, progress);
    // A run that changed nothing leaves no trace.
    if (known?.status === 'done' && !hasChanges(report)) {
      const { id: _id, ...before } = known;
      await imports.update({ id: importId }, before);
      return report;
    }
    await end('done', report);
    await note(house, order, report);
    return report;
  } catch (error) {
    // The cause is what the person reads; a database that is away cannot keep the state anyway.
    await end(error instanceof ImportStopped ? 'stopped' : 'failed').catch(() => undefined);
    throw error;
  }
}

const hasChanges = ({ counts, logs, options }: ImportReport): boolean =>
  Object.values(counts).some(({ added, moved }) => added + moved > 0) ||
  (logs?.lines ?? 0) > 0 ||
  options.taken.length > 0;

async function execute(
  house: ImportHouse,
  order: ImportOrder,
  plan: Plan,
  { importId, run }: { readonly importId: number; readonly run: number },
  progress: Progress,
): Promise<ImportReport> {
  const { source, recognised, known, keepsNumbers } = plan;
  const converted = convertContents(plan.contents, unitFactor(house, order, plan));
  const { contents } = converted;
  const context = new ImportContext(
    house,
    {
      isDryRun: order.isDryRun,
      keepsNumbers,
      conflicts: order.conflicts,
      takesOverRoot: order.takesOverRoot,
      product: recognised.product,
      run,
      actorId: order.actor.id,
      nowMs: house.nowMs(),
    },
    await Journal.open(house.dataSource, importId),
    async (kind, counts) => {
      // Keeps the connection to the source, which may be a long time without a question.
      await source.query('SELECT 1');
      await progress(kind, counts);
    },
    plan.guard,
  );
  context.notes.push(...contents.notes);
  const does = (part: ImportPart): boolean => order.only === null || order.only.has(part);
  const takesOptions =
    order.optionSections !== null ||
    (known === null &&
      does('options') &&
      (keepsNumbers || recognised.product === 'litellm' || order.only?.has('options') === true));
  const options = takesOptions
    ? await takeOptions(house.options, contents.options, {
        actor: { ...order.actor, role: ROLE.root },
        isDryRun: order.isDryRun,
        note: `import from ${recognised.product}`,
        sections: order.optionSections,
      })
    : { taken: [], refused: [], unknown: [], differences: differencesOf(house.options, contents.options) };
  if (does('users')) await writeUsers(context, contents.users, issuersOf(contents.options));
  if (does('tokens'))
    await writeTokens(context, contents.tokens, {
      options: await optionsThen(house, order, contents, takesOptions),
      groups: new Map(contents.users.map((user) => [user.sourceId, user.group])),
      highest: 0,
    });
  if (does('channels')) await writeChannels(context, contents.channels);
  if (does('codes')) await writeCodes(context, contents.codes);
  if (does('orders')) await writeOrders(context, contents.orders);
  if (does('tokens')) await writeLimits(context, contents.limits, house.options.values().LimitTimeZone);
  if (does('users')) await writeTasks(context, contents);
  if (!order.isDryRun && keepsNumbers)
    for (const table of ['users', 'tokens', 'channels', 'redemptions', 'top_ups'])
      await advanceSequence(house.dataSource, table);
  const logs =
    order.logs === null || order.isDryRun
      ? null
      : await importLogs(house, source, {
          order: order.logs,
          journal: context.journal,
          product: recognised.product,
          progress,
          guard: plan.guard,
        });
  noteWaysIn(context, contents);
  noteGroups(context, contents, await optionsThen(house, order, contents, takesOptions));
  context.notes.push(...(logs?.damaged ?? []));
  return {
    importId,
    product: recognised.product,
    version: recognised.version,
    isDryRun: order.isDryRun,
    warnings: [...source.warnings, ...converted.warnings],
    counts: context.counts,
    ...orderNotes(context.notes),
    numbers: context.numbers,
    sums: order.isDryRun
      ? []
      : [...(await reconcile(house.dataSource, context.journal, contents)), ...converted.sums],
    options,
    logs: logs === null ? null : { lines: logs.lines, quota: logs.quota },
  };
}

/** The options that tokens will be judged by: those that are about to be taken, in a dry run. */
async function optionsThen(
  house: ImportHouse,
  order: ImportOrder,
  contents: SourceContents,
  takesOptions: boolean,
): Promise<Pick<ReturnType<OptionsService['values']>, 'GroupRatio' | 'UserUsableGroups'>> {
  if (!order.isDryRun || !takesOptions) return house.options.values();
  const groups = ['GroupRatio', 'UserUsableGroups'].flatMap((key) => {
    const value = contents.options.get(key);
    return value === undefined ? [] : [{ key, value }];
  });
  return house.options.tryChanges(groups).catch(() => house.options.values());
}

/** Quota units here for one unit there. */
function unitFactor(house: ImportHouse, order: ImportOrder, { contents, keepsNumbers, known }: Plan): number {
  const here = house.options.values().QuotaPerUnit;
  const takesUnit = keepsNumbers && known === null && (order.only === null || order.only.has('options'));
  return takesUnit || here === contents.quotaPerUnit || !order.converts ? 1 : here / contents.quotaPerUnit;
}

function refuseOtherUnit(
  house: ImportHouse,
  order: ImportOrder,
  { contents, keepsNumbers, known }: Plan,
): void {
  const here = house.options.values().QuotaPerUnit;
  const takesUnit = keepsNumbers && known === null && (order.only === null || order.only.has('options'));
  if (takesUnit || here === contents.quotaPerUnit || order.converts) return;
  throw new ImportRefused(sentence('unit_differs', { there: contents.quotaPerUnit, here }));
}

/** People without a password, an outside identity or an e-mail. */
function noteWaysIn(context: ImportContext, { users }: SourceContents): void {
  for (const user of users) {
    const hasWay =
      user.passwordForm !== 'none' ||
      user.passkeys.length > 0 ||
      Object.keys(user.bindings).length > 0 ||
      user.email !== '';
    if (!hasWay && user.deletedAtMs === null)
      context.note('no-way-in', 'users', user.sourceId, sentence('no_way_in', { name: user.username }));
  }
}

/** Accounts of a group without a ratio: their calls have no price. */
function noteGroups(
  context: ImportContext,
  { users }: SourceContents,
  { GroupRatio }: Pick<ReturnType<OptionsService['values']>, 'GroupRatio'>,
): void {
  for (const user of users)
    if (user.deletedAtMs === null && !Object.hasOwn(GroupRatio, user.group))
      context.note(
        'no-way-in',
        'users',
        user.sourceId,
        sentence('group_without_ratio', { name: user.username, group: user.group }),
      );
}

async function note(house: ImportHouse, order: ImportOrder, report: ImportReport): Promise<void> {
  await runInTransaction(house.dataSource, (manager) =>
    house.audit.record(manager, {
      actorId: order.actor.id,
      actorRole: ROLE.root,
      actorName: order.actor.username,
      action: 'import.run',
      targetType: 'import',
      targetId: report.importId,
      detail: {
        source: `${report.product} ${report.version}`,
        count: Object.values(report.counts).reduce((sum, { added }) => sum + added, 0),
        text: report.sums
          .map(
            (sum) =>
              `${renderSentence(sum.name, 'en')}: ${sum.source} / ${sum.here}${sum.isEqual ? '' : ' !'}`,
          )
          .join('; '),
      },
    }),
  );
}
