import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { isOptionKey, isSecret, type OptionKey, optionRow, PRICE_KEYS } from './option-catalogue.js';
import type { OptionChangeEntity } from './option.entity.js';
import type { OptionVersionEntity } from './option-version.entity.js';
import { type HistoryQuery, OptionsRepository } from './options.repository.js';
import { type OptionActor, type OptionInput, OptionsService } from './options.service.js';

/** A change with the version it belongs to; null for changes older than versions. */
export interface RecordedChange {
  readonly change: OptionChangeEntity;
  readonly version: OptionVersionEntity | null;
}

/** Options that were saved together. */
export interface SavedVersion extends Readonly<Omit<OptionVersionEntity, 'keys' | 'hasPrices'>> {
  readonly keys: readonly string[];
}

/** Value of an option before and after a version. */
export type VersionChange = Readonly<Pick<OptionChangeEntity, 'key' | 'oldValue' | 'newValue'>>;

/** History of options, and rollback. */
@Injectable()
export class OptionHistory {
  constructor(
    private readonly repository: OptionsRepository,
    private readonly options: OptionsService,
  ) {}

  /** Changes, newest first. */
  async changes(query: HistoryQuery): Promise<RecordedChange[]> {
    const changes = await this.repository.history(query);
    const ids = new Set(changes.flatMap(({ versionId }) => (versionId === null ? [] : [versionId])));
    const versions = await this.repository.versionsById([...ids]);
    return changes.map((change) => ({
      change,
      version: change.versionId === null ? null : (versions.get(change.versionId) ?? null),
    }));
  }

  /** Versions of the price list, newest first. */
  async priceVersions(before: number | undefined, limit: number): Promise<SavedVersion[]> {
    return (await this.repository.priceVersions(before, limit)).map(readVersion);
  }

  /** A version of the price list with all it changed. Fails: DomainError `not_found`. */
  async priceVersion(
    id: number,
  ): Promise<{ readonly version: SavedVersion; readonly changes: readonly VersionChange[] }> {
    const version = (await this.repository.versionsById([id])).get(id);
    if (version === undefined || version.hasPrices !== 1) throw new DomainError('not_found');
    const changes = await this.repository.changesOf(id);
    return {
      version: readVersion(version),
      changes: changes.filter(({ key }) => isOptionKey(key) && PRICE_KEYS.has(key)),
    };
  }

  /**
   * Takes one change of one option back, or forth again.
   * @param to  the value `before` the change, or the one `after` it
   * @returns the keys that differ now
   * Fails: `not_found`, `option_no_history` for secrets, and whatever a change of the option may fail with.
   */
  async rollBackChange(
    actor: OptionActor,
    revision: number,
    to: 'before' | 'after',
    note: string,
  ): Promise<readonly OptionKey[]> {
    const change = await this.repository.changeOf(revision);
    if (change === null) throw new DomainError('not_found');
    const { key } = change;
    if (!isOptionKey(key)) throw new DomainError('option_unknown', { key: key.slice(0, 100) });
    if (isSecret(key)) throw new DomainError('option_no_history', { key });
    const value = to === 'before' ? change.oldValue : change.newValue;
    return this.options.update(actor, [inputOf(key, value)], {
      source: 'rollback',
      note: note === '' ? `${to} revision ${revision}` : note,
    });
  }

  /**
   * Puts the whole price list back to what it was right after (or before) a version, whatever came since.
   * @returns the keys that differ now
   * Fails: `not_found`, and whatever a change of the options may fail with.
   */
  async rollBackPrices(
    actor: OptionActor,
    versionId: number,
    to: 'before' | 'after',
    note: string,
  ): Promise<readonly OptionKey[]> {
    const inputs = await this.pricesAt(versionId, to);
    return this.options.update(actor, inputs, {
      source: 'rollback',
      note: note === '' ? `${to} version ${versionId}` : note,
    });
  }

  /**
   * Puts every option back to what it was right after a version, whatever came since. Secrets stay as they are: their old values
   * are not kept.
   * @returns the keys that differ now
   * Fails: `not_found`, and whatever a change of the options may fail with.
   */
  async rollBackTo(actor: OptionActor, versionId: number, note: string): Promise<readonly OptionKey[]> {
    const [, revision] = await this.repository.revisionsOf(versionId);
    if (revision === 0) throw new DomainError('not_found');
    const inputs: OptionInput[] = [];
    for (const key of await this.repository.keysChangedAfter(revision)) {
      if (!isOptionKey(key) || isSecret(key)) continue;
      const value = await this.repository.valueAt(key, revision);
      if (value !== undefined) inputs.push(inputOf(key, value));
    }
    return this.options.update(actor, inputs, {
      source: 'rollback',
      note: note === '' ? `all options after version ${versionId}` : note,
    });
  }

  /** The price options as they were at a version: for a rollback, or to preview one. Fails: `not_found`. */
  async pricesAt(versionId: number, to: 'before' | 'after'): Promise<OptionInput[]> {
    await this.priceVersion(versionId);
    const [first, last] = await this.repository.revisionsOf(versionId);
    const revision = to === 'after' ? last : first - 1;
    const inputs: OptionInput[] = [];
    for (const key of PRICE_KEYS) {
      const value = await this.repository.valueAt(key, revision);
      if (value !== undefined) inputs.push(inputOf(key, value));
    }
    return inputs;
  }
}

const readVersion = (row: OptionVersionEntity): SavedVersion => ({
  ...row,
  keys: z.array(z.string()).parse(JSON.parse(row.keys)),
});

/** Null = it was not stored: the program's own value. */
function inputOf(key: OptionKey, value: string | null): OptionInput {
  const row = optionRow(key);
  return { key, value: value ?? row.format(row.fallback) };
}
