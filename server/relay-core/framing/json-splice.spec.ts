import { describe, expect, it } from '@jest/globals';
import { MAX_JSON_DEPTH, MAX_JSON_NODES, MAX_OBJECT_KEYS } from './json-cursor.js';
import { readField, scanObject, spliceFields, type ScannedObject } from './json-splice.js';

function scanned(text: string): ScannedObject {
  const object = scanObject(Buffer.from(text));
  if (typeof object === 'string') throw new Error(`${object}: ${text}`);
  return object;
}

/** A small deterministic generator: the same documents on every run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const TEXTS = [
  '',
  'a',
  'quote " in',
  'back\\slash',
  '\\"',
  'line\nbreak',
  '漢字 😀',
  'x'.repeat(70),
  `${'y'.repeat(40)}"`,
];

function randomValue(random: () => number, depth: number): unknown {
  const pick = Math.floor(random() * (depth > 4 ? 5 : 7));
  if (pick === 0) return null;
  if (pick === 1) return random() < 0.5;
  if (pick === 2) return Math.round(random() * 1e6) / 100 - 5_000;
  if (pick < 5) return TEXTS[Math.floor(random() * TEXTS.length)];
  const length = Math.floor(random() * 5);
  if (pick === 5) return Array.from({ length }, () => randomValue(random, depth + 1));
  return Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `k${index}${TEXTS[Math.floor(random() * 3)]}`,
      randomValue(random, depth + 1),
    ]),
  );
}

describe('scanObject', () => {
  it('refuses strings the JSON grammar does not know, wherever in the text they break it [RLY-03]', () => {
    const whole = Buffer.alloc(256);
    for (const filler of [0, 1, 5, 23, 24, 25, 26, 27, 40, 90]) {
      for (const wrong of ['\\x', '\\u12g4', '\\u123', '\\', '\u0000', '\u001f', '\n', '\t']) {
        for (const offset of [0, 1, 2, 3]) {
          const text = `{"a":"${'é'.repeat(filler % 3)}${'y'.repeat(filler)}${wrong}${'z'.repeat(filler % 7)}"}`;
          const length = whole.write(text, offset);
          const bytes = whole.subarray(offset, offset + length);
          expect(() => JSON.parse(text)).toThrow();
          expect(scanObject(bytes)).toBe('malformed');
          const right = text.replace(wrong, '\\u00e9\\n');
          const rightLength = whole.write(right, offset);
          expect(typeof scanObject(whole.subarray(offset, offset + rightLength))).toBe('object');
        }
      }
    }
    expect(scanObject(Buffer.from('{"a\\q":1}'))).toBe('malformed');
  });

  it('finds every top-level member of random documents, however they are spaced', () => {
    const random = makeRandom(7);
    for (let round = 0; round < 400; round += 1) {
      const document = Object.fromEntries(
        Array.from({ length: 6 }, (_, index) => [`member${index}`, randomValue(random, 0)]),
      );
      const text = JSON.stringify(document, null, [0, 2, '\t'][round % 3]);
      const object = scanned(text);
      expect([...object.members.keys()]).toEqual(Object.keys(document));
      for (const [key, value] of Object.entries(document)) expect(readField(object, key)).toEqual(value);
    }
  });

  it.each([
    '',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1 "b":2}',
    '{"a":[1,]}',
    '{"a":[1 2]}',
    '{"a":{"b" 1}}',
    '{"a":tru}',
    '{"a":"x}',
    '{"a":1}}',
    '{"a":1} x',
    '{"a":[}]}',
    "{'a':1}",
    '{,"a":1}',
  ])('refuses %j as JSON.parse does', (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow();
    expect(scanObject(Buffer.from(text))).toBe('malformed');
  });

  it.each(['[]', '1', '"x"', 'null'])('refuses %j, which is no object', (text) => {
    expect(scanObject(Buffer.from(text))).toBe('not-an-object');
  });

  it('refuses a document that is cut anywhere', () => {
    const text =
      '{"model":"m","messages":[{"role":"user","content":"a \\" b"}],"n":1.5e3,"x":{"y":[true,null]}}';
    for (let cut = 0; cut < text.length; cut += 1) {
      expect(scanObject(Buffer.from(text.slice(0, cut)))).toBe('malformed');
    }
    expect(typeof scanObject(Buffer.from(text))).toBe('object');
  });

  it('refuses documents that are too deep, too long or too wide [HTTP-03]', () => {
    const deep = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(typeof scanObject(Buffer.from(deep(MAX_JSON_DEPTH)))).toBe('object');
    expect(scanObject(Buffer.from(deep(MAX_JSON_DEPTH + 1)))).toBe('too-deep');
    expect(scanObject(Buffer.from(deep(100_000)))).toBe('too-deep');
    const long = `{"a":[${Array.from({ length: MAX_JSON_NODES + 1 }, () => '1').join(',')}]}`;
    expect(scanObject(Buffer.from(long))).toBe('too-many-values');
    const wide = `{"a":{${Array.from({ length: MAX_OBJECT_KEYS + 1 }, (_, index) => `"k${index}":1`).join(',')}}}`;
    expect(scanObject(Buffer.from(wide))).toBe('too-many-keys');
  });

  it('rewrites documents two readers may read differently [RLY-03]', () => {
    const twice = scanned('{"model":"a","model":"b"}');
    expect(readField(twice, 'model')).toBe('b');
    expect(twice.bytes.toString()).toBe('{"model":"b"}');
    const escaped = scanned('{"mod\\u0065l":"a"}');
    expect(readField(escaped, 'model')).toBe('a');
    expect(escaped.bytes.toString()).toBe('{"model":"a"}');
  });

  it('finds a member named like an inherited one, and no other', () => {
    const object = scanned('{"__proto__":{"model":"x"},"constructor":1}');
    expect(object.members.has('model')).toBe(false);
    expect(readField(object, 'constructor')).toBe(1);
    expect(readField(object, 'toString')).toBeUndefined();
  });
});

describe('spliceMembers', () => {
  it('keeps every other byte', () => {
    const text = ' { "a" : 1 ,\n "model":"x",  "z":"\\u00e9" } ';
    const edited = spliceFields(scanned(text), new Map<string, unknown>([['model', 'long "name"']]));
    expect(edited.toString()).toBe(text.replace('"x"', '"long \\"name\\""'));
  });

  it('answers the same buffer when nothing changes', () => {
    const object = scanned('{"a":1}');
    expect(spliceFields(object, new Map())).toBe(object.bytes);
    expect(spliceFields(object, new Map([['missing', undefined]]))).toBe(object.bytes);
  });

  it('replaces, removes and adds any mix of members of random documents', () => {
    const random = makeRandom(11);
    for (let round = 0; round < 500; round += 1) {
      const size = Math.floor(random() * 6);
      const document = Object.fromEntries(
        Array.from({ length: size }, (_, index) => [`m${index}`, randomValue(random, 3)]),
      );
      const changes = new Map<string, unknown>();
      const expected: Record<string, unknown> = { ...document };
      for (let index = 0; index < 7; index += 1) {
        const choice = random();
        if (choice < 0.35) {
          changes.set(`m${index}`, undefined);
          delete expected[`m${index}`];
        } else if (choice < 0.65) {
          const value = { changed: round };
          changes.set(`m${index}`, value);
          expected[`m${index}`] = value;
        }
      }
      const text = JSON.stringify(document, null, round % 2 === 0 ? 2 : 0);
      expect(JSON.parse(spliceFields(scanned(text), changes).toString())).toEqual(expected);
    }
  });
});
