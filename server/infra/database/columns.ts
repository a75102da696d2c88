import { toShownSum } from '../../common/quota.js';
import { Column, type ColumnOptions, Generated, PrimaryColumn, type ValueTransformer } from 'typeorm';

/** 64-bit integers may come back as text; beyond 2^53 they are refused in both directions, never rounded. */
export const safeInteger: ValueTransformer = {
  to: (value: unknown) => {
    // Conditions and expressions pass through here as well; only a number can be a wrong number.
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    throw new RangeError(`not an integer the database may hold: ${value}`);
  },
  from: (value: unknown) => {
    if (value === null || value === undefined) return value;
    const number = Number(value);
    if (!Number.isSafeInteger(number))
      throw new RangeError(`integer out of range in the database: ${String(value)}`);
    return number;
  },
};

/** Any 64-bit counter, id or time. */
export const IntegerColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ name, type: 'bigint', transformer: safeInteger, ...options });

/** 64-bit key the database counts up. Reading gives a number; the identifiers of an insert may be text: convert them. */
export const BigIdColumn = (name: string): PropertyDecorator => {
  const asColumn = PrimaryColumn({ name, type: 'bigint', transformer: safeInteger });
  const asCounted = Generated('increment');
  return (target, property) => {
    asColumn(target, property);
    asCounted(target, String(property));
  };
};

/** Money: integer quota. */
export const QuotaColumn = (name: string): PropertyDecorator => IntegerColumn(name, { default: 0 });

/** Counters raised by calls and shown on pages: a page stays readable however large the number is. */
export const CounterColumn = (name: string): PropertyDecorator =>
  IntegerColumn(name, { default: 0, transformer: { to: safeInteger.to, from: toShownSum } });

/** Moments computed from a clock that counts parts are kept whole; whatever else is no safe integer is refused. */
const wholeMoment: ValueTransformer = {
  to: (value: unknown) =>
    safeInteger.to(typeof value === 'number' && Number.isFinite(value) ? Math.floor(value) : value),
  from: (value: unknown) => safeInteger.from(value),
};

/** A moment, whole seconds since 1970 UTC. */
export const SecondsColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  IntegerColumn(name, { default: 0, transformer: wholeMoment, ...options });

/** A moment, milliseconds since 1970 UTC. */
export const MillisecondsColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  IntegerColumn(name, { default: 0, transformer: wholeMoment, ...options });

/** Small whole number: status, role, type. */
export const SmallColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ name, type: 'integer', ...options });

/** Short text with a length the database enforces. */
export const TextColumn = (name: string, length: number, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ name, type: 'varchar', length, default: '', ...options });

/** Text without a practical limit (longtext on MySQL; migrations decide). */
export const LongTextColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ name, type: 'text', ...options });

export const FlagColumn = (name: string): PropertyDecorator =>
  Column({ name, type: 'boolean', default: false });
