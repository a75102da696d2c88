import { type Sentence, sentence } from '../../../common/import-sentences/sentence.js';
import type { EntityManager } from 'typeorm';
import { moveToken, openToken } from '../../../base/billing/opening/opening-money.js';
import type { OptionValues } from '../../../base/options/option-catalogue.js';
import { groupRule } from '../../../gateway/tokens/caller-record.js';
import { insertImportedToken, lookUpText, takenDigests } from '../../../gateway/tokens/imported-tokens.js';
import type { SourceToken } from '../source/records.js';
import type { ImportContext, PreparedRow } from './import-context.js';
import { type JournalEntry, markOf } from './journal.js';

const FIGURES = ['remainQuota', 'usedQuota', 'accessedTime'];
const NAME_MAX = 64;
const STATUS = { on: 1, off: 2 } as const;

/** Facts a token is judged by here. */
export interface TokenSurroundings {
  readonly options: Pick<OptionValues, 'GroupRatio' | 'UserUsableGroups'>;
  /** Group of each account of the source. */
  readonly groups: ReadonlyMap<string, string>;
  /** Highest number of the source. */
  readonly highest: number;
}

/** Writes the API tokens of a source: new ones, and the differences of those that were imported before. */
export async function writeTokens(
  context: ImportContext,
  tokens: readonly SourceToken[],
  surroundings: TokenSurroundings,
): Promise<void> {
  const { journal, counts, settings, tools } = context;
  counts.token.found = tokens.length;
  const fresh = tokens.filter(({ sourceId }) => journal.find('token', sourceId) === undefined);
  const digests = new Map(
    fresh.map((token) => [token.sourceId, tools.tokenKeys.digest(lookUpText(token.key))]),
  );
  const taken = await takenDigests(tools.dataSource.manager, [...digests.values()]);
  const rows: PreparedRow[] = [];
  for (const token of fresh) {
    const digest = digests.get(token.sourceId) ?? '';
    if (taken.has(digest)) {
      counts.token.leftOut += 1;
      context.note('conflict', 'tokens', token.sourceId, sentence('key_is_here'));
      continue;
    }
    if (!settings.isDryRun && journal.targetOf('user', token.owner) === undefined) {
      counts.token.leftOut += 1;
      context.note(
        'left-out',
        'tokens',
        token.sourceId,
        sentence('key_owner_left_out', { owner: token.owner }),
      );
      continue;
    }
    taken.add(digest);
    const off = offReasonOf(token, surroundings);
    if (off !== null && token.deletedAtMs === null) context.note('key-off', 'tokens', token.sourceId, off);
    rows.push({
      sourceId: token.sourceId,
      write: (manager) => writeToken(manager, context, token, off !== null),
    });
  }
  if (settings.isDryRun) {
    counts.token.added = rows.length;
    counts.token.unchanged = tokens.length - fresh.length;
    return;
  }
  await context.writeAll('token', 'tokens', rows);
  await moveTokens(
    context,
    tokens.filter((token) => !fresh.includes(token)),
  );
}

/** Why a key arrives switched off: it could do more here than it could there, or nothing at all. */
function offReasonOf(token: SourceToken, { options, groups }: TokenSurroundings): Sentence | null {
  if (token.offReason !== null) return token.offReason;
  const rule = groupRule(options, groups.get(token.owner) ?? '', token.group);
  if (rule === 'usable') return null;
  const { group } = token;
  return rule === 'unknown'
    ? sentence('key_group_without_factor', { group })
    : sentence('key_group_not_usable_here', { group });
}

async function writeToken(
  manager: EntityManager,
  context: ImportContext,
  token: SourceToken,
  isRefused: boolean,
): Promise<JournalEntry> {
  const { journal, settings, tools } = context;
  const id = await insertImportedToken(manager, tools.tokenKeys, {
    key: token.key,
    number: settings.keepsNumbers ? token.number : null,
    token: {
      userId: journal.targetOf('user', token.owner) ?? 0,
      status: isRefused || token.isOff ? STATUS.off : STATUS.on,
      name: [...token.name].slice(0, NAME_MAX).join(''),
      createdTime: token.createdTime,
      accessedTime: token.accessedTime,
      expiredTime: token.expiredTime,
      unlimitedQuota: token.isUnlimited,
      modelLimitsEnabled: token.models !== null,
      modelLimits: (token.models ?? []).join(','),
      allowIps: token.allowIps,
      group: token.group.slice(0, NAME_MAX),
      deletedAtMs: token.deletedAtMs,
      importId: journal.importId,
    },
  });
  if (token.remainQuota < 0)
    context.note(
      'balance',
      'tokens',
      token.sourceId,
      sentence('key_below_zero', { quota: token.remainQuota }),
    );
  await openToken(manager, id, figuresHere(token), context.origin('token', id));
  context.noteNumber('token', token.number, token.sourceId, id);
  return { targetId: id, mark: markOf({ ...token }, FIGURES), figures: figuresOf(token) };
}

/** No allowance is below 0 here. */
const figuresHere = ({ remainQuota, usedQuota }: SourceToken): { remain: number; usedQuota: number } => ({
  remain: Math.max(0, remainQuota),
  usedQuota,
});

const figuresOf = (token: SourceToken): Record<string, number> => ({ ...figuresHere(token) });

async function moveTokens(context: ImportContext, tokens: readonly SourceToken[]): Promise<void> {
  const { journal, counts } = context;
  const moved: PreparedRow[] = [];
  for (const token of tokens) {
    const entry = journal.find('token', token.sourceId);
    if (entry === undefined) continue;
    const here = figuresHere(token);
    const remain = here.remain - (entry.figures['remain'] ?? 0);
    const usedQuota = here.usedQuota - (entry.figures['usedQuota'] ?? 0);
    if (markOf({ ...token }, FIGURES) !== entry.mark)
      context.note('changed', 'tokens', token.sourceId, sentence('changed_figures_follow'));
    if (remain === 0 && usedQuota === 0) {
      counts.token.unchanged += 1;
      continue;
    }
    moved.push({
      sourceId: token.sourceId,
      write: async (manager) => {
        const isMoved = await moveToken(
          manager,
          entry.targetId,
          { remain, usedQuota },
          context.origin('token', entry.targetId),
        );
        if (isMoved) return { ...entry, figures: figuresOf(token) };
        context.note('balance', 'tokens', token.sourceId, sentence('figures_not_moved'));
        return entry;
      },
    });
  }
  counts.token.moved = moved.length;
  await context.writeAll('token', 'tokens', moved);
}
