import { isRecord } from './json';

type Reader<T> = (value: unknown) => T | undefined;

export const text: Reader<string> = (value) => (typeof value === 'string' ? value : undefined);
export const figure: Reader<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
export const positive: Reader<number> = (value) => {
  const read = figure(value);
  return read !== undefined && read >= 0 ? read : undefined;
};

/** All or nothing: a list with one odd entry is none. */
export const listOf =
  <T>(read: Reader<T>): Reader<T[]> =>
  (value) => {
    if (!Array.isArray(value)) return undefined;
    const entries = value.map(read);
    return entries.every((entry) => entry !== undefined) ? entries : undefined;
  };

export const oneOf =
  <const Word extends string>(words: readonly Word[]): Reader<Word> =>
  (value) =>
    words.find((word) => word === value);

type Members<Shape extends Readonly<Record<string, Reader<unknown>>>> = {
  readonly [Name in keyof Shape]: Exclude<ReturnType<Shape[Name]>, undefined> | undefined;
};

/** Members of a stored document that are of the kind they should be; the rest counts as missing. */
export const membersOf =
  <Shape extends Readonly<Record<string, Reader<unknown>>>>(shape: Shape): Reader<Members<Shape>> =>
  (value) =>
    isRecord(value)
      ? (Object.fromEntries(
          Object.entries(shape).map(([name, read]) => [name, read(value[name])]),
        ) as Members<Shape>)
      : undefined;
