import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { carry, CHAT_PAIRS, FORMATS_OF_WORDS } from '../support/chat-formats.js';
import { schemaIn, toolBody } from '../support/tool-bodies.js';

type Schema = Readonly<Record<string, unknown>>;

const NAMES = ['a', 'b', 'c'];
const name = fc.constantFrom(...NAMES);
const scalar: fc.Arbitrary<Schema> = fc.oneof(
  fc.constantFrom<Schema>({ type: 'string' }, { type: 'integer' }, { type: 'number' }, { type: 'boolean' }),
  fc.constantFrom<Schema>(
    { type: 'string', enum: ['x', 'y'] },
    { const: 'x' },
    { enum: ['x', null] },
    { enum: [1, 2] },
  ),
  fc.constantFrom<Schema>({ type: ['string', 'null'] }, { type: ['integer', 'string'] }, { type: 'null' }),
  fc.constantFrom<Schema>({ $ref: '#/$defs/Word' }, { $ref: '#/$defs/Thing' }, {}),
);
const APART: Schema[] = [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }, { type: 'null' }];
const { object } = fc.letrec<{ value: Schema; object: Schema }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.record({ type: fc.constant('array'), items: tie('value') }) as fc.Arbitrary<Schema>,
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }).map((anyOf): Schema => ({ anyOf })),
    // Apart from each other: of two that overlap, `oneOf` takes neither, and merging cannot know.
    fc.subarray<Schema>(APART, { minLength: 1 }).map((oneOf): Schema => ({ oneOf })),
    tie('object'),
  ),
  object: fc
    .record(
      {
        type: fc.constantFrom<unknown>('object', ['object', 'null']),
        properties: fc.dictionary(name, tie('value'), { maxKeys: 3 }),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: fc.constant(false),
      },
      { requiredKeys: ['properties'] },
    )
    .map((made): Schema => ({
      ...made,
      // Required members must be possible.
      ...(made.required === undefined
        ? {}
        : { required: made.required.filter((each) => Object.hasOwn(made.properties, each)) }),
    })),
}));
const withDefinitions = (schema: Schema): Schema => ({
  ...schema,
  $defs: {
    Word: { type: 'string' },
    Thing: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  },
});
/** Roots in every form that frameworks write. */
const root: fc.Arbitrary<Schema> = fc
  .oneof(
    object,
    fc.array(object, { minLength: 1, maxLength: 3 }).map((anyOf): Schema => ({ anyOf })),
    fc.array(object, { minLength: 1, maxLength: 2 }).map((oneOf): Schema => ({ oneOf })),
    fc.array(object, { minLength: 1, maxLength: 2 }).map((allOf): Schema => ({ allOf })),
    fc.constant<Schema>({ $ref: '#/$defs/Thing' }),
    fc
      .tuple(object, fc.array(name, { minLength: 1, maxLength: 2 }))
      .map(([one, names]): Schema => ({ ...one, anyOf: names.map((each) => ({ required: [each] })) })),
  )
  .map(withDefinitions);

/** A value a schema describes, made of what it names; the choices are taken from `dice`. */
function instanceOf(schema: Schema, dice: () => number, top: Schema, depth = 0): unknown {
  const pick = <T>(list: readonly T[]): T | undefined => list[dice() % list.length];
  const inner = (one: unknown): unknown => instanceOf(one as Schema, dice, top, depth + 1);
  if (depth > 8) return 'deep';
  if (typeof schema['$ref'] === 'string') {
    const [, , place = ''] = schema['$ref'].split('/');
    return inner((top['$defs'] as Record<string, Schema>)[place]);
  }
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return pick(schema['enum']);
  const parts: unknown[] = [];
  for (const form of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[form])) parts.push(inner(pick(schema[form])));
  if (Array.isArray(schema['allOf'])) parts.push(...schema['allOf'].map(inner));
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  const type = pick(types) as string | undefined;
  const isPlainUnion = parts.length > 0 && schema['properties'] === undefined;
  if (isPlainUnion && parts.length === 1) return parts[0];
  if (schema['properties'] !== undefined || isPlainUnion) {
    if (type === 'null' && parts.length === 0) return null;
    const required = (schema['required'] ?? []) as readonly string[];
    const own = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
      .filter(([each]) => required.includes(each) || dice() % 2 === 0)
      .map(([each, one]) => [each, inner(one)] as const);
    const others = parts.filter((part) => typeof part === 'object' && part !== null) as object[];
    return Object.assign({}, ...others, Object.fromEntries(own));
  }
  switch (type) {
    case 'string':
      return pick(['x', 'y', '']);
    case 'integer':
      return dice() % 5;
    case 'number':
      return 1.5;
    case 'boolean':
      return dice() % 2 === 0;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: dice() % 3 }, () => inner(schema['items'] ?? {}));
    default:
      return 'anything';
  }
}

/** Google's own words as a JSON schema. */
function fromGoogle(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(fromGoogle);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, properties, ...rest } = schema as Record<string, unknown>;
  const written: Record<string, unknown> = {};
  for (const [each, member] of Object.entries(rest))
    written[each] =
      each === 'type' && typeof member === 'string'
        ? member.toLowerCase()
        : each === 'items' || each === 'anyOf'
          ? fromGoogle(member)
          : member;
  if (properties !== undefined)
    written['properties'] = Object.fromEntries(
      Object.entries(properties as object).map(([each, one]) => [each, fromGoogle(one)]),
    );
  return nullable === true ? { anyOf: [written, { type: 'null' }] } : written;
}

const ajv = new Ajv2020({ strict: false, logger: false });
const isValid = (schema: unknown, instance: unknown): boolean => ajv.compile(schema as object)(instance);

describe('what a tool’s schema allowed it still allows, in every format', () => {
  const pairs = CHAT_PAIRS.filter(({ format }) => !FORMATS_OF_WORDS.includes(format.id));
  let tried = 0;

  it.each(pairs)('$name', ({ api, format }) => {
    fc.assert(
      fc.property(root, fc.array(fc.nat(1_000), { minLength: 24, maxLength: 24 }), (schema, choices) => {
        let at = 0;
        const dice = (): number => choices[(at += 1) % choices.length] ?? 0;
        const instance = instanceOf(schema, dice, schema);
        const isObject = typeof instance === 'object' && instance !== null && !Array.isArray(instance);
        if (!isObject || !isValid(schema, instance)) return;
        const carried = carry(api, format, toolBody(api.id, schema));
        if ('refusal' in carried) throw new Error(carried.refusal);
        tried += 1;
        const found = schemaIn(carried.body)?.schema;
        // An object that may hold anything needs no check.
        if (found === undefined) return;
        const written = format.id === 'gemini-generate' ? fromGoogle(found) : found;
        expect({ schema, written, instance, isValid: isValid(written, instance) }).toEqual({
          schema,
          written,
          instance,
          isValid: true,
        });
      }),
      { numRuns: 200, seed: 20_261_125 },
    );
  });

  it('was tried on enough of them', () => {
    expect(tried).toBeGreaterThan(pairs.length * 50);
  });
});
