import { describe, expect, it } from '@jest/globals';
import { leastCpuMs } from '../../../../test/support/least-cpu.js';
import type { Warning } from '../../model/warning.js';
import { cleanSchema } from './clean-schema.js';
import { openSchema } from './open-schema.js';

describe('schemas', () => {
  const cleaned = (schema: unknown, warnings: Warning[] = []) => cleanSchema(schema, 'tools', warnings);

  it('resolves references, merges allOf, and writes types in capitals', () => {
    expect(
      cleaned({
        $defs: { city: { type: 'string', title: 'City', minLength: 1, 'x-own': true } },
        type: 'object',
        properties: {
          city: { $ref: '#/$defs/city', description: 'Where' },
          count: { type: ['integer', 'null'], exclusiveMinimum: 0, format: 'uint' },
          any: { oneOf: [{ type: 'string' }, { type: 'number' }] },
          maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          both: {
            allOf: [{ type: 'object', properties: { a: { type: 'boolean' } } }, { required: ['a', 'b'] }],
          },
          pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
          kind: { enum: ['a', 'b', null] },
        },
        required: ['city', 'gone'],
      }),
    ).toEqual({
      type: 'OBJECT',
      properties: {
        city: { type: 'STRING', title: 'City', minLength: 1, description: 'Where' },
        count: { type: 'INTEGER', nullable: true, minimum: 0 },
        any: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] },
        maybe: { type: 'STRING', nullable: true },
        both: { type: 'OBJECT', properties: { a: { type: 'BOOLEAN' } }, required: ['a'] },
        pair: { type: 'ARRAY', items: { type: 'STRING' } },
        kind: { type: 'STRING', enum: ['a', 'b'], nullable: true },
      },
      required: ['city'],
    });
  });

  it.each<[string, object]>([
    ['additionalProperties', { additionalProperties: true }],
    ['additionalProperties', { additionalProperties: { type: 'string' } }],
    ['patternProperties', { patternProperties: { '^x': { type: 'string' } } }],
    ['uniqueItems', { properties: { a: { type: 'array', items: { type: 'string' }, uniqueItems: true } } }],
    ['format', { properties: { a: { type: 'string', format: 'uri' } } }],
    [
      'prefixItems',
      { properties: { a: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] } } },
    ],
    ['not', { properties: { a: { not: { const: 1 } } } }],
  ])('say that %s is left out', (name, schema) => {
    const warnings: Warning[] = [];
    cleaned({ type: 'object', ...schema }, warnings);
    expect(warnings).toEqual([
      { setting: 'tools', reason: `schemas of this format have no ${name}: left out` },
    ]);
  });

  it('omits members that bind no value', () => {
    const warnings: Warning[] = [];
    const a = { type: 'string', title: 'A', examples: ['x'], $comment: 'c', deprecated: true };
    cleaned({ $schema: 'x', type: 'object', properties: { a }, additionalProperties: false }, warnings);
    expect(warnings).toEqual([]);
  });

  it('leaves out those that ask nothing', () => {
    expect(cleaned({ type: 'object', properties: {} })).toBeUndefined();
    expect(cleaned(undefined)).toBeUndefined();
  });

  it('ends them where they name themselves, or each other without end', () => {
    expect(cleaned({ type: 'object', properties: { next: { $ref: '#' } } })).toMatchObject({
      type: 'OBJECT',
    });
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `d${index}`,
        {
          type: 'object',
          properties: { a: { $ref: `#/$defs/d${index + 1}` }, b: { $ref: `#/$defs/d${index + 1}` } },
        },
      ]),
    );
    const schema = { $defs, $ref: '#/$defs/d0' };
    expect(cleaned(schema)).toMatchObject({ type: 'OBJECT' });
    expect(leastCpuMs(() => cleaned(schema))).toBeLessThan(2_000);
  });

  it('opens them to what other grammars read', () => {
    expect(
      openSchema({
        type: 'OBJECT',
        properties: {
          a: { type: 'STRING', nullable: true, enum: ['x'] },
          b: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '2' },
        },
        propertyOrdering: ['a', 'b'],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        a: { type: ['string', 'null'], enum: ['x', null] },
        b: { type: 'array', items: { type: 'integer' }, minItems: 2 },
      },
    });
  });
});
