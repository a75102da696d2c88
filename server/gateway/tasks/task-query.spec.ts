import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { MAX_IDS, readTaskQuery } from './task-reader.js';

const ask = (body: unknown) =>
  readTaskQuery({
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? Buffer.from(body) : Buffer.from(JSON.stringify(body)),
  } as unknown as FastifyRequest);

describe('readTaskQuery', () => {
  it('names each task once, numbers as texts, and the action in capitals', () => {
    expect(ask({ ids: ['a', 7, 'a', '7'], action: 'music' })).toEqual({
      ok: true,
      value: { ids: ['a', '7'], action: 'MUSIC' },
    });
    expect(ask({ ids: [] })).toEqual({ ok: true, value: { ids: [], action: '' } });
  });

  it.each([
    ['no JSON', '{'],
    ['a list', []],
    ['no ids', {}],
    ['ids that are no list', { ids: 'a' }],
    ['an empty id', { ids: [''] }],
    ['an id that is an object', { ids: [{}] }],
    ['an id that is too long', { ids: ['x'.repeat(5_000)] }],
    ['too many ids', { ids: Array.from({ length: MAX_IDS + 1 }, (_, at) => at) }],
  ])('refuses %s', (_name, body) => {
    expect(ask(body)).toMatchObject({ ok: false, error: { kind: 'invalid-request', blame: 'caller' } });
  });

  it('accepts as many as the limit', () => {
    expect(ask({ ids: Array.from({ length: MAX_IDS }, (_, at) => at) }).ok).toBe(true);
  });
});
