/** Expected shape of an answer: a kind of value, a text that must be exactly that, an object's members, a list, a map. */
export type Shape = string | Members | ListShape | MapShape;
export interface Members {
  readonly [member: string]: Shape;
}

class ListShape {
  constructor(
    readonly item: Shape,
    readonly mayBeEmpty = false,
  ) {}
}
class MapShape {
  constructor(readonly value: Shape) {}
}

/** At least one entry, so that its members are looked at. */
export const listOf = (item: Shape): Shape => new ListShape(item);
export const anyListOf = (item: Shape): Shape => new ListShape(item, true);
export const mapOf = (value: Shape): Shape => new MapShape(value);

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  int: Number.isInteger,
  num: Number.isFinite,
  str: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  'int?': (value) => value === null || Number.isInteger(value),
  'str?': (value) => value === null || typeof value === 'string',
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns where and how a value differs from its shape, nothing when it fits */
export function misfits(value: unknown, shape: Shape, at = 'answer'): string[] {
  if (typeof shape === 'string') {
    const isSo = Object.hasOwn(KINDS, shape) ? KINDS[shape]?.(value) : value === shape;
    return isSo === true ? [] : [`${at} is ${String(JSON.stringify(value)).slice(0, 80)}, not ${shape}`];
  }
  if (shape instanceof ListShape) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    if (value.length === 0 && !shape.mayBeEmpty) return [`${at} is empty`];
    return value.flatMap((item, index) => misfits(item, shape.item, `${at}[${index}]`));
  }
  if (!isObject(value)) return [`${at} is no object`];
  if (shape instanceof MapShape) {
    if (Object.keys(value).length === 0) return [`${at} is empty`];
    return Object.entries(value).flatMap(([key, each]) => misfits(each, shape.value, `${at}.${key}`));
  }
  return Object.entries(shape).flatMap(([member, each]) =>
    Object.hasOwn(value, member)
      ? misfits(value[member], each, `${at}.${member}`)
      : [`${at} has no ${member}`],
  );
}
