import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { SecretBox } from '../../infra/crypto/secret-box.js';
import type { ChangeFeed } from '../../infra/events/change-feed.js';
import type { Clock } from '../../relay-core/ports/clock.js';
import {
  isOptionKey,
  isSecret,
  OPTION_FALLBACKS,
  OPTION_KEYS,
  type OptionKey,
  optionRow,
  type OptionValues,
} from './option-catalogue.js';
import { OptionValueError } from './option-kinds.js';
import { checkOptionRules, withdrawnSecrets } from './option-rules.js';
import type { OptionVersionSource } from './option-version.entity.js';
import { PRICE_KEYS } from './price-keys.js';
import type { OptionChange, OptionsRepository, OptionsVersion } from './options.repository.js';

/** How soon an instance notices a change whose message it missed. */
const POLL_MS = 5_000;

/** A wanted change. Null clears a secret; an empty text leaves a secret as it is (OPT-5). */
export interface OptionInput {
  readonly key: string;
  readonly value: string | number | boolean | null;
}

/** Who changes options. */
export interface OptionActor {
  readonly id: number;
  readonly username?: string;
}

/** How and why options are changed. */
export interface OptionReason {
  readonly source?: OptionVersionSource;
  readonly note?: string;
}

type Check = (candidate: OptionValues, current: OptionValues) => void | Promise<void>;

interface ParsedChange {
  readonly key: OptionKey;
  readonly value: unknown;
  readonly text: string;
}

/**
 * The options of this instance: one frozen snapshot, replaced as a whole. Reading is free; nothing is stored before it was
 * parsed, held against the rules and tried on its consumers (OPT-1, OPT-02).
 */
export class OptionsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Options');
  private readonly listeners = new Set<() => void>();
  private readonly checks: { readonly keys: ReadonlySet<OptionKey>; readonly check: Check }[] = [];
  private readonly stopListening: () => void;
  private stored: ReadonlyMap<string, string> = new Map();
  private snapshot: OptionValues = OPTION_FALLBACKS;
  private version: OptionsVersion = { revision: 0, changes: 0 };
  private updates: Promise<unknown> = Promise.resolve();
  private cancelPoll: () => void = () => undefined;
  private isClosed = false;

  constructor(
    private readonly repository: OptionsRepository,
    private readonly secrets: SecretBox,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {
    this.stopListening = feed.on('options', () => void this.refresh());
  }

  /** Reads what is stored and keeps following it. Fails: when the database is away. */
  async start(): Promise<void> {
    await this.reload(await this.repository.version());
    this.schedulePoll();
  }

  /** The current values; the same object until something changes. */
  values(): OptionValues {
    return this.snapshot;
  }

  /** Grows with every change; equal on all instances that converged. */
  get revision(): number {
    return this.version.revision;
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** `check` throws when it cannot work with a candidate that changes one of `keys`; the change is then refused. */
  registerCheck(keys: readonly OptionKey[], check: Check): void {
    this.checks.push({ keys: new Set(keys), check });
  }

  /** Every option as text for the settings screens. Secrets: no value, only whether one is set. */
  list(): { key: OptionKey; value: string; isSet?: boolean }[] {
    return OPTION_KEYS.map((key) => {
      if (isSecret(key)) return { key, value: '', isSet: this.snapshot[key] !== '' };
      return { key, value: this.stored.get(key) ?? optionRow(key).format(optionRow(key).fallback) };
    });
  }

  /** True when a value was stored, even one equal to the default. */
  isStored(key: OptionKey): boolean {
    return this.stored.has(key);
  }

  /**
   * Checks and stores changes, all or none.
   * @returns the keys whose value differs now
   * Fails: DomainError `option_unknown`, `option_invalid`, `option_incomplete`, `option_refused` or another of option-rules;
   * nothing is stored then.
   */
  update(
    actor: OptionActor,
    changes: readonly OptionInput[],
    reason: OptionReason = {},
  ): Promise<readonly OptionKey[]> {
    const update = this.updates.then(() => this.apply(actor, changes, reason));
    // The next update waits for this one, whatever became of it; the caller hears of a failure through `update`.
    this.updates = update.catch(() => undefined);
    return update;
  }

  /**
   * The options as they would be with `changes`, checked like a change of them, and nothing stored.
   * Fails: as `update`.
   */
  async tryChanges(changes: readonly OptionInput[]): Promise<OptionValues> {
    const { candidate, differing } = this.candidateOf(changes);
    await this.tryOut(candidate, new Set(differing.map(({ key }) => key)));
    return candidate;
  }

  beforeApplicationShutdown(): void {
    this.isClosed = true;
    this.cancelPoll();
    this.stopListening();
  }

  private async apply(
    actor: OptionActor,
    changes: readonly OptionInput[],
    { source = 'edit', note = '' }: OptionReason,
  ): Promise<readonly OptionKey[]> {
    const version = await this.repository.version();
    if (!isSame(version, this.version)) await this.reload(version);
    const { candidate, differing } = this.candidateOf(changes);
    await this.tryOut(candidate, new Set(differing.map(({ key }) => key)));
    if (differing.length === 0) return [];
    await this.repository.write(
      differing.map((change) => this.toRow(change)),
      {
        actorId: actor.id,
        actorName: actor.username ?? '',
        source,
        note,
        hasPrices: differing.some(({ key }) => PRICE_KEYS.has(key)),
        nowMs: this.clock.nowMs(),
      },
    );
    await this.reload(await this.repository.version());
    this.feed.announce('options');
    return differing.map(({ key }) => key);
  }

  /** Secrets that were typed for an address this change replaces; see `withdrawnSecrets`. */
  private withdrawnSecrets(given: readonly ParsedChange[]): ParsedChange[] {
    const candidate = Object.fromEntries(given.map(({ key, value }) => [key, value]));
    const keys = withdrawnSecrets(
      this.snapshot,
      { ...this.snapshot, ...candidate },
      new Set(Object.keys(candidate)),
    );
    return keys.map((key) => ({ key, value: '', text: '' }));
  }

  /** The options with `changes`, and those of the changes that make a difference. A key given twice counts once, the last time. */
  private candidateOf(changes: readonly OptionInput[]): {
    readonly candidate: OptionValues;
    readonly differing: readonly ParsedChange[];
  } {
    const given = changes.flatMap((change) => this.parse(change));
    const all = [...given, ...this.withdrawnSecrets(given)];
    const parsed = new Map(all.map((change) => [change.key, change]));
    const candidate = Object.freeze({
      ...this.snapshot,
      ...Object.fromEntries([...parsed].map(([key, { value }]) => [key, value])),
    }) as OptionValues;
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
    return [{ key, value: this.parseText(key, text), text }];
  }

  private parseText(key: OptionKey, text: string): unknown {
    try {
      return optionRow(key).parse(text);
    } catch (error) {
      if (error instanceof OptionValueError)
        throw new DomainError('option_invalid', { key, range: error.message });
      throw error;
    }
  }

  /** The change as if it were in force: the rules between options, then every consumer that registered a check. */
  private async tryOut(candidate: OptionValues, changed: ReadonlySet<OptionKey>): Promise<void> {
    checkOptionRules(candidate, changed);
    for (const { keys, check } of this.checks) {
      if (![...keys].some((key) => changed.has(key))) continue;
      try {
        await check(candidate, this.snapshot);
      } catch (error) {
        if (error instanceof DomainError) throw error;
        throw new DomainError('option_refused', {
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    }
  }

  private currentText(key: OptionKey): string | undefined {
    return isSecret(key) ? (this.snapshot[key] as string) : this.stored.get(key);
  }

  private toRow({ key, text }: ParsedChange): OptionChange {
    if (!isSecret(key)) return { key, stored: text, oldValue: this.stored.get(key) ?? null, newValue: text };
    const stored = text === '' ? '' : this.secrets.seal('option', `options.value.${key}`, text);
    return { key, stored, oldValue: null, newValue: null };
  }

  /** Reads the options again when they changed in the database. */
  async refresh(): Promise<void> {
    try {
      const version = await this.repository.version();
      if (!isSame(version, this.version)) await this.reload(version);
    } catch (error) {
      // The last good values stay in force; the next poll tries again.
      this.logger.warn(`could not read the options: ${String(error)}`);
    }
  }

  /** A stored text that cannot be read (an older program wrote it, or a hand) keeps its last good value. */
  private async reload(version: OptionsVersion): Promise<void> {
    const stored = await this.repository.all();
    const values: Record<string, unknown> = { ...OPTION_FALLBACKS };
    for (const [key, text] of stored) {
      if (!isOptionKey(key)) continue;
      try {
        values[key] = this.readStored(key, text);
      } catch (error) {
        values[key] = this.snapshot[key];
        this.logger.error(
          `option ${key} is stored in a form that cannot be used, its last good value stays: ${String(error)}`,
        );
      }
    }
    this.stored = stored;
    this.snapshot = Object.freeze(values) as OptionValues;
    this.version = version;
    for (const listener of this.listeners) listener();
  }

  private readStored(key: OptionKey, text: string): unknown {
    if (!isSecret(key)) return optionRow(key).parse(text);
    return text === '' ? '' : this.secrets.open('option', `options.value.${key}`, text);
  }

  private schedulePoll(): void {
    if (this.isClosed) return;
    this.cancelPoll = this.clock.after(POLL_MS, () => {
      void this.refresh().finally(() => this.schedulePoll());
    });
  }
}

const isSame = (left: OptionsVersion, right: OptionsVersion): boolean =>
  left.revision === right.revision && left.changes === right.changes;
