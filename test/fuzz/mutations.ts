/** Numbers that look random and are the same every time (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const pick = <T>(random: () => number, from: readonly T[]): T => {
  const chosen = from[Math.floor(random() * from.length)];
  if (chosen === undefined) throw new Error('nothing to pick from');
  return chosen;
};

/** Values that are unexpected in their place. */
const ODD: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 53,
  4_294_967_296,
  '',
  ' ',
  'null',
  '\u0000',
  '\ud800',
  '‮',
  'data: [DONE]\n\n',
  'sk-not-a-key',
  '../../etc/passwd',
  'http://169.254.169.254/',
  [],
  {},
  [[]],
  [null],
  { __proto__x: 1 },
  { constructor: { prototype: {} } },
  'x'.repeat(70_000),
  Array.from({ length: 300 }, (_, index) => index),
];

/** A document with one place changed: another value, gone, doubled, under another name, nested deeply. */
export function mutateDocument(document: unknown, random: () => number): unknown {
  const copy = structuredClone(document);
  const places: { readonly holder: Record<string, unknown> | unknown[]; readonly key: string | number }[] =
    [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const [key, item] of value.entries()) {
        places.push({ holder: value, key });
        walk(item);
      }
    } else if (typeof value === 'object' && value !== null) {
      const holder = value as Record<string, unknown>;
      for (const key of Object.keys(holder)) {
        places.push({ holder, key });
        walk(holder[key]);
      }
    }
  };
  walk(copy);
  if (places.length === 0) return pick(random, ODD);
  const { holder, key } = pick(random, places);
  if (Array.isArray(holder)) {
    const at = Number(key);
    const what = Math.floor(random() * 4);
    if (what === 0) holder.splice(at, 1);
    else if (what === 1) holder.splice(at, 0, structuredClone(holder[at]));
    else if (what === 2) holder[at] = pick(random, ODD);
    else holder.reverse();
    return copy;
  }
  const name = String(key);
  switch (Math.floor(random() * 5)) {
    case 0:
      delete holder[name];
      break;
    case 1:
      holder[`${name}_x`] = holder[name];
      delete holder[name];
      break;
    case 2:
      holder[name] = [holder[name]];
      break;
    case 3:
      holder[name] = nested(60, holder[name]);
      break;
    default:
      holder[name] = pick(random, ODD);
  }
  return copy;
}

function nested(depth: number, value: unknown): unknown {
  let inner = value;
  for (let level = 0; level < depth; level += 1) inner = { a: inner };
  return inner;
}

/** Bytes with a few of them changed: flipped, cut off, cut out, doubled, put in. */
export function mutateBytes(bytes: Buffer, random: () => number): Buffer {
  if (bytes.length === 0) return Buffer.from([Math.floor(random() * 256)]);
  const at = Math.floor(random() * bytes.length);
  const size = 1 + Math.floor(random() * Math.min(64, bytes.length - at));
  switch (Math.floor(random() * 6)) {
    case 0: {
      const copy = Buffer.from(bytes);
      for (let count = 0; count < 3; count += 1)
        copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
      return copy;
    }
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at + size), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([bytes.subarray(at), bytes.subarray(0, at)]);
    default:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(
          pick(random, ['"', '{', ']', '\\', '\n\n', '\r', ',', '\u0000', 'é', '9'.repeat(400), 'data:']),
        ),
        bytes.subarray(at),
      ]);
  }
}
