import { Logger } from '@nestjs/common';
import type { SecretBox } from '../../infra/crypto/secret-box.js';
import {
  isOptionKey,
  isSecret,
  OPTION_FALLBACKS,
  type OptionKey,
  optionRow,
  type OptionValues,
} from './option-catalogue.js';

/** Options as read from the database. */
export interface ReadOptions {
  /** Contents of the table, secrets sealed. */
  readonly stored: ReadonlyMap<string, string>;
  /** Frozen. */
  readonly values: OptionValues;
  /** Options whose stored text could not be used, so that their last good value stays. */
  readonly broken: ReadonlySet<OptionKey>;
}

export type Compile = (candidate: OptionValues) => void;

export const NOTHING_READ: ReadOptions = { stored: new Map(), values: OPTION_FALLBACKS, broken: new Set() };

/** Makes values of stored texts. What cannot be used keeps its last good value, alone or together with what belongs to it. */
export class OptionReader {
  private readonly logger = new Logger('Options');
  private readonly compilers: { readonly keys: ReadonlySet<OptionKey>; readonly compile: Compile }[] = [];

  constructor(private readonly secrets: SecretBox) {}

  registerCompiler(keys: readonly OptionKey[], compile: Compile): void {
    this.compilers.push({ keys: new Set(keys), compile });
  }

  /** Broken options that keep `changed` from coming into force, because they are used together. */
  holdingBack(changed: ReadonlySet<OptionKey>, broken: ReadonlySet<OptionKey>): OptionKey[] {
    const holding = this.compilers
      .filter(({ keys }) => [...keys].some((key) => changed.has(key)))
      .flatMap(({ keys }) => [...keys].filter((key) => broken.has(key) && !changed.has(key)));
    return [...new Set(holding)];
  }

  /** @param before  what is in force: its values stay where a text did not change, or cannot be used */
  read(stored: ReadonlyMap<string, string>, before: ReadOptions): ReadOptions {
    const values: Record<string, unknown> = { ...OPTION_FALLBACKS };
    const broken = new Set<OptionKey>();
    for (const [key, text] of stored) {
      if (!isOptionKey(key)) continue;
      try {
        // The same text keeps the same value, so that consumers that compile it can detect that nothing changed.
        const isKnown = before.stored.get(key) === text && !before.broken.has(key);
        values[key] = isKnown ? before.values[key] : this.readText(key, text);
      } catch (error) {
        values[key] = before.values[key];
        broken.add(key);
        if (!before.broken.has(key)) this.complain(`option ${key} is stored in a form that`, error);
      }
    }
    for (const { keys, compile } of this.compilers)
      this.compileTogether(keys, compile, values, before, broken);
    return { stored, values: Object.freeze(values) as OptionValues, broken };
  }

  /** Values that are used together are all new or all old. */
  private compileTogether(
    keys: ReadonlySet<OptionKey>,
    compile: Compile,
    values: Record<string, unknown>,
    before: ReadOptions,
    broken: Set<OptionKey>,
  ): void {
    const all = [...keys];
    if (!all.some((key) => broken.has(key))) {
      if (all.every((key) => values[key] === before.values[key] && !before.broken.has(key))) return;
      try {
        compile(values as OptionValues);
        return;
      } catch (error) {
        if (!all.every((key) => before.broken.has(key)))
          this.complain(`options ${all.join(', ')} are stored in a form that together`, error);
        for (const key of all) broken.add(key);
      }
    }
    for (const key of all) values[key] = before.values[key];
  }

  private readText(key: OptionKey, text: string): unknown {
    if (!isSecret(key)) return optionRow(key).parse(text);
    return text === '' ? '' : this.secrets.open('option', `options.value.${key}`, text);
  }

  private complain(what: string, error: unknown): void {
    this.logger.error(`${what} cannot be used, the last good value stays: ${String(error)}`);
  }
}
