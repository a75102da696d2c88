import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import type { SecretBox } from '../../infra/crypto/secret-box.js';
import type { PreparedPart, RevisedPart, Revisions } from '../../infra/events/revisions.js';
import type { Clock } from '../../common/clock.js';
import {
  isOptionKey,
  isSecret,
  OPTION_KEYS,
  type OptionKey,
  optionRow,
  type OptionValues,
  assertGiftsWithin,
  assertMayChangeOptions,
  isWithheld,
  mayChangeOption,
  PRICE_KEYS,
} from './option-catalogue.js';
import { type Compile, NOTHING_READ, OptionReader, type ReadOptions } from './option-reader.js';
import { OptionComplaints, type ValueComplaint } from './option-complaints.js';
import { OptionValueError } from './option-kinds.js';
import { checkOptionRules, checkSecretPlaces, complaintBetween } from './option-rules.js';
import { StoredOptions } from './stored-options.js';
import type { OptionSection } from './option-sections.js';
import type { OptionVersionSource } from './option-version.entity.js';
import { PRICE_OPTION_KEYS } from '../pricing/price-table.js';
import {
  isSameVersion,
  type OptionChange,
  OptionsMovedError,
  type OptionsRepository,
  type OptionsVersion,
} from './options.repository.js';

/** Maximum number of new checks of a change because another instance was faster. */
const MAX_TRIES = 10;

/** A wanted change. Null clears a secret; an empty text leaves a secret as it is. */
export interface OptionInput {
  readonly key: string;
  readonly value: string | number | boolean | null;
}

/** Account that changes options. */
export interface OptionActor {
  readonly id: number;
  readonly username?: string;
  readonly role: number;
}

/** Source of a change, and its note. */
export interface OptionReason {
  readonly source?: OptionVersionSource;
  readonly note?: string;
}

/** One option as text. */
export interface OptionLine {
  readonly key: OptionKey;
  /** Empty when the role may only see whether there is one. */
  readonly value: string;
  /** Only for withheld values. */
  readonly isSet?: boolean;
  /** Complaint about the stored text if it were saved now; absent = none. */
  readonly needsLook?: string;
  /** Section of the option, for administrators. */
  readonly section: OptionSection;
  readonly mayChange: boolean;
  readonly choices?: readonly string[];
}

type Check = (candidate: OptionValues, current: OptionValues) => void | Promise<void>;

interface ParsedChange {
  readonly key: OptionKey;
  readonly value: unknown;
  readonly text: string;
}

/**
 * The options of this instance: one frozen snapshot, replaced as a whole. Reading is free; nothing is stored before it was
 * parsed, held against the rules and tried on its consumers.
 */
export class OptionsService implements RevisedPart {
  readonly name = 'options';
  private readonly logger = new Logger('Options');
  private readonly listeners = new Set<() => void>();
  private readonly checks: { readonly keys: ReadonlySet<OptionKey>; readonly check: Check }[] = [];
  private readonly complaints = new OptionComplaints();
  private readonly reader: OptionReader;
  private inForce: ReadOptions = NOTHING_READ;
  /** Values all other modules see. */
  private shown: OptionValues = NOTHING_READ.values;
  private pricesRevision = 0;
  private version: OptionsVersion = { revision: 0, changes: 0, changedAtMs: 0 };
  private updates: Promise<unknown> = Promise.resolve();

  /** Restricts the stored values to those in force (safe-mode.ts). */
  private restrict: (values: OptionValues) => OptionValues = (values) => values;

  constructor(
    private readonly repository: OptionsRepository,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
    private readonly revisions: Revisions,
    private readonly stored: StoredOptions = new StoredOptions(repository),
  ) {
    this.reader = new OptionReader(secrets);
  }

  /**
   * Reads what is stored and keeps following it. Fails: when the database is away.
   * @param restrict  see safe-mode; absent = everything is shown
   */
  async start(restrict?: (values: OptionValues) => OptionValues): Promise<void> {
    if (restrict !== undefined) this.restrict = restrict;
    await this.revisions.follow(this);
  }

  /** The options of a new installation, in the transaction of its set-up, which counts the revision itself. */
  async writeFirst(manager: EntityManager, changes: readonly OptionChange[], actorId: number): Promise<void> {
    await this.repository.writeWith(manager, changes, { actorId, nowMs: this.clock.nowMs() });
  }

  /** Once the set-up is committed: every instance reads what it wrote. */
  async announceFirst(): Promise<void> {
    await this.revisions.publishChange('options');
  }

  /** The current values; the same object until something changes. */
  values(): OptionValues {
    return this.shown;
  }

  /** Grows with every change; equal on all instances that converged. */
  get revision(): number {
    return this.version.revision;
  }

  /** Revision the prices in force are of: older than `revision` while stored prices cannot be used. */
  get priceRevision(): number {
    return this.pricesRevision;
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** `check` throws when it cannot work with a candidate that changes one of `keys`; the change is then refused. */
  registerCheck(keys: readonly OptionKey[], check: Check): void {
    this.checks.push({ keys: new Set(keys), check });
  }

  /** Words against values that can be used: new ones are refused with them, stored ones are shown with them. */
  registerComplaint(complaint: ValueComplaint): void {
    this.complaints.register(complaint);
  }

  /**
   * `compile` throws when values it works with cannot be used together. Whatever way they came into the database, all of `keys`
   * then keep what they were.
   */
  registerCompiler(keys: readonly OptionKey[], compile: Compile): void {
    this.reader.registerCompiler(keys, compile);
  }

  /** Every option as text for the settings screens of a role. Secrets: no value, only whether one is set. */
  list(role: number): OptionLine[] {
    return OPTION_KEYS.map((key) => {
      const row = optionRow(key);
      const { section, choices } = row;
      const mayChange = mayChangeOption(role, key, this.inForce.values);
      const line = { key, section, mayChange, ...(choices === undefined ? {} : { choices }) };
      if (isWithheld(role, key)) return { ...line, value: '', isSet: this.inForce.values[key] !== '' };
      const stored = this.inForce.stored.get(key);
      if (stored === undefined) return { ...line, value: row.format(row.fallback) };
      const needsLook = this.inForce.broken.has(key)
        ? row.range
        : (this.complaints.ofStored(row, stored) ?? complaintBetween(key, this.inForce.values));
      return { ...line, value: stored, ...(needsLook === undefined ? {} : { needsLook }) };
    });
  }

  /** Fails: DomainError `not_permitted` when one of the keys is not this role's to change. */
  assertMayChange(role: number, keys: readonly string[]): void {
    assertMayChangeOptions(role, keys, this.inForce.values);
  }

  /** True when a value was stored, even one equal to the default. */
  isStored(key: OptionKey): boolean {
    return this.inForce.stored.has(key);
  }

  /**
   * Checks and stores changes, all or none: permissions too, whatever the route.
   * @returns the keys whose value differs now
   * Fails: DomainError `not_permitted`, `option_unknown`, `option_invalid`, `option_incomplete`, `option_refused` or another of
   * option-rules; nothing is stored then.
   */
  update(
    actor: OptionActor,
    changes: readonly OptionInput[],
    reason: OptionReason = {},
  ): Promise<readonly OptionKey[]> {
    const update = this.updates.then(() => this.apply(actor, changes, reason));
    // The next update waits for this one, whatever its result; its caller gets a failure through `update`.
    this.updates = update.catch(() => undefined);
    return update;
  }

  /**
   * The options as they would be with `changes`, checked like a change of them, and nothing stored.
   * Fails: as `update`.
   */
  async tryChanges(changes: readonly OptionInput[]): Promise<OptionValues> {
    const { candidate, differing } = this.candidateOf(changes);
    await this.validateCandidate(candidate, new Set(differing.map(({ key }) => key)));
    return candidate;
  }

  /** Reads the options again, counted or not. */
  async refresh(): Promise<void> {
    try {
      this.stored.bypassCache();
      await this.revisions.refresh(this.name);
    } catch (error) {
      // The last good values stay in force; the next poll tries again.
      this.logger.warn(`could not read the options: ${String(error)}`);
    }
  }

  private async apply(
    actor: OptionActor,
    changes: readonly OptionInput[],
    reason: OptionReason,
  ): Promise<readonly OptionKey[]> {
    for (let tries = 1; ; tries += 1) {
      await this.revisions.refresh(tries === 1 ? undefined : this.name);
      try {
        return await this.applyOnCurrent(actor, changes, reason);
      } catch (error) {
        // Changes of another instance may contradict this one: it is checked once more.
        if (!(error instanceof OptionsMovedError) || tries === MAX_TRIES) throw error;
      }
    }
  }

  private async applyOnCurrent(
    actor: OptionActor,
    changes: readonly OptionInput[],
    { source = 'edit', note = '' }: OptionReason,
  ): Promise<readonly OptionKey[]> {
    const basedOn = this.version;
    this.assertMayChange(
      actor.role,
      changes.map(({ key }) => key),
    );
    const { candidate, differing } = this.candidateOf(changes);
    const changed = new Set(differing.map(({ key }) => key));
    assertGiftsWithin(actor.role, candidate, this.inForce.values);
    await this.validateCandidate(candidate, changed);
    if (differing.length === 0) return [];
    const holding = this.reader.holdingBack(changed, this.inForce.broken);
    if (holding.length > 0)
      throw new DomainError('option_refused', {
        reason: `${holding.join(', ')} is stored in a form that cannot be used: save it again first, or with this change`,
      });
    await this.repository.write(
      differing.map((change) => this.toRow(change)),
      {
        actorId: actor.id,
        actorName: actor.username ?? '',
        actorRole: actor.role,
        source,
        note,
        hasPrices: differing.some(({ key }) => PRICE_KEYS.has(key)),
        nowMs: this.clock.nowMs(),
      },
      basedOn,
    );
    await this.revisions.publishChange('options');
    return differing.map(({ key }) => key);
  }

  /** The options with `changes`, and those of the changes that make a difference. A key given twice counts once, the last time. */
  private candidateOf(changes: readonly OptionInput[]): {
    readonly candidate: OptionValues;
    readonly differing: readonly ParsedChange[];
  } {
    const parsed = new Map(
      changes.flatMap((change) => this.parse(change)).map((change) => [change.key, change]),
    );
    const candidate = Object.freeze({
      ...this.inForce.values,
      ...Object.fromEntries([...parsed].map(([key, { value }]) => [key, value])),
    }) as OptionValues;
    checkSecretPlaces(this.inForce.values, candidate, new Set(parsed.keys()));
    const differing = [...parsed.values()].filter(({ key, text }) => this.currentText(key) !== text);
    return { candidate, differing };
  }

  private parse({ key, value }: OptionInput): ParsedChange[] {
    if (!isOptionKey(key)) throw new DomainError('option_unknown', { key: key.slice(0, 100) });
    if (isSecret(key)) {
      if (value === '') return [];
      const text = value === null ? '' : String(value);
      return [{ key, value: this.parseText(key, text), text }];
    }
    if (value === null) throw new DomainError('option_invalid', { key, range: optionRow(key).range });
    const text = String(value).trim();
    const parsed = this.parseText(key, text);
    const { storesOwnText = false, format } = optionRow(key);
    return [{ key, value: parsed, text: storesOwnText ? format(parsed) : text }];
  }

  private parseText(key: OptionKey, text: string): unknown {
    const row = optionRow(key);
    try {
      const value = row.parse(text);
      // Only what is new is refused: what is in force stays in force.
      const toStore = row.storesOwnText === true ? row.format(value) : text;
      const wrong = this.currentText(key) === toStore ? undefined : this.complaints.about(row, text, value);
      if (wrong !== undefined) throw new OptionValueError(wrong);
      return value;
    } catch (error) {
      if (error instanceof OptionValueError)
        throw new DomainError('option_invalid', { key, range: error.message });
      throw error;
    }
  }

  /** The change as if it were in force: the rules between options, then every consumer that registered a check. */
  private async validateCandidate(candidate: OptionValues, changed: ReadonlySet<OptionKey>): Promise<void> {
    checkOptionRules(candidate, changed);
    for (const { keys, check } of this.checks) {
      if (![...keys].some((key) => changed.has(key))) continue;
      try {
        await check(candidate, this.inForce.values);
      } catch (error) {
        if (error instanceof DomainError) throw error;
        throw new DomainError('option_refused', {
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    }
  }

  private currentText(key: OptionKey): string | undefined {
    return isSecret(key) ? (this.inForce.values[key] as string) : this.inForce.stored.get(key);
  }

  private toRow({ key, text }: ParsedChange): OptionChange {
    if (!isSecret(key))
      return { key, stored: text, oldValue: this.inForce.stored.get(key) ?? null, newValue: text };
    const stored = text === '' ? '' : this.secrets.seal('option', `options.value.${key}`, text);
    return { key, stored, oldValue: null, newValue: null };
  }

  prefetch(): Promise<void> {
    return this.stored.prefetch();
  }

  async prepare(manager: EntityManager): Promise<PreparedPart> {
    const { version, stored } = await this.stored.read(manager);
    const read = this.reader.read(stored, this.inForce);
    const names = [...read.broken].join(', ');
    return {
      complaint: names === '' ? null : `stored options that cannot be used: ${names}`,
      apply: () => this.activate(version, read),
    };
  }

  /** True when options were stored by a program that does not count revisions, or by hand with their history. */
  async hasDrifted(): Promise<boolean> {
    return !isSameVersion(await this.repository.version(), this.version);
  }

  private activate(version: OptionsVersion, read: ReadOptions): void {
    this.inForce = read;
    this.shown = this.restrict(read.values);
    this.version = version;
    if (!PRICE_OPTION_KEYS.some((key) => read.broken.has(key))) this.pricesRevision = version.revision;
    const failures: unknown[] = [];
    for (const listener of this.listeners) {
      try {
        listener();
      } catch (error) {
        // The remaining listeners must be notified all the same.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
  }
}
