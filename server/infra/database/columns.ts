import { Column, type ColumnOptions, type ValueTransformer } from 'typeorm';

/** 64-bit integers come back as text from two of the three drivers; beyond 2^53 they are refused, never rounded. */
export const safeInteger: ValueTransformer = {
  to: (value: unknown) => value,
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

/** Money: integer quota. */
export const QuotaColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  IntegerColumn(name, { default: 0, ...options });

/** A moment, whole seconds since 1970 UTC. */
export const SecondsColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  IntegerColumn(name, { default: 0, ...options });

/** A moment, milliseconds since 1970 UTC. */
export const MillisecondsColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  IntegerColumn(name, { default: 0, ...options });

/** Small whole number: status, role, type. */
export const SmallColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ name, type: 'integer', ...options });

/** Short text with a length the database enforces. */
export const TextColumn = (name: string, length: number, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ name, type: 'varchar', length, default: '', ...options });

/** Text without a practical limit (longtext on MySQL; migrations decide). */
export const LongTextColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ name, type: 'text', ...options });

export const FlagColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ name, type: 'boolean', default: false, ...options });
