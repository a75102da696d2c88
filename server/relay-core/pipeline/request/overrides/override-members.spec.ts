import { describe, expect, it } from '@jest/globals';
import { faultOfOverride, unreadOverridePart } from './override-members.js';

const operations = (...list: object[]) => ({ operations: list });

describe('unreadOverridePart', () => {
  it.each([
    [
      { operations: [], operation: [] },
      { type: 'unknown', at: 'operation' },
    ],
    [
      operations({ mode: 'set', path: 'a', value: 1, match: {} }),
      { type: 'unknown', at: 'operations.0.match' },
    ],
    [operations({ mode: 'set', path: 'a' }), { type: 'missing', at: 'operations.0.value' }],
    [
      operations({ mode: 'delete', path: 'a', conditions: [{ path: 'b' }] }),
      { type: 'missing', at: 'operations.0.conditions.0.value' },
    ],
    [
      operations({ mode: 'delete', path: 'a', conditions: [{ path: 'b', value: 1, op: 'eq' }] }),
      { type: 'unknown', at: 'operations.0.conditions.0.op' },
    ],
    [
      operations({ mode: 'return_error', value: { message: 'no', status: 403 } }),
      { type: 'unknown', at: 'operations.0.value.status' },
    ],
    [
      operations({ mode: 'prune_objects', value: { where: { type: 'a' }, name: 'b' } }),
      { type: 'unknown', at: 'operations.0.value.name' },
    ],
    [
      operations({ mode: 'prune_objects', value: { where: {} } }),
      { type: 'missing', at: 'operations.0.value.where' },
    ],
    [
      operations({ mode: 'set', path: 'a', constructor: 1, value: 0 }),
      { type: 'unknown', at: 'operations.0.constructor' },
    ],
  ])('names the place in %j', (document, part) => {
    expect(unreadOverridePart(document)).toEqual(part);
  });

  it.each([
    operations(),
    operations({ mode: 'set', path: 'a', value: null }),
    operations({ mode: 'trim_space', path: 'a' }),
    operations({ mode: 'return_error', value: 'no' }),
    operations({ mode: 'prune_objects', value: { type: 'a' } }),
    operations(null as unknown as object),
  ])('finds nothing in %j', (document) => {
    expect(unreadOverridePart(document)).toBeUndefined();
  });
});

describe('faultOfOverride', () => {
  it.each([
    [{ model: 'x' }, 'model'],
    [{ operations: 'all' }, 'operations'],
    [operations({ mode: 'sett', path: 'a' }), 'operations.0.mode'],
    [operations({ mode: 'set', path: 'a..b', value: 1 }), 'operations.0.path'],
    [operations({ mode: 'set', path: 'service_tier.a', value: 1 }), 'service_tier.a'],
    [operations({ mode: 'set', path: 'generationConfig', value: {} }), 'generationConfig'],
    [operations({ mode: 'copy', from: 'a', to: 'stream' }), 'stream'],
    [operations({ mode: 'move', from: 'n', to: 'a' }), 'n'],
    [{ best_of: 4 }, 'best_of'],
    [{ seed: 1, parameters: { seed: 1, sampleCount: 4 } }, 'parameters.sampleCount'],
    [{ extra_body: { google: { options: { n: 4 } } } }, 'extra_body.google.options.n'],
    [{ num_return_sequences: 4 }, 'num_return_sequences'],
    [operations({ mode: 'set', path: 'best_of', value: 4 }), 'best_of'],
    [operations({ mode: 'copy', from: 'seed', to: 'extra_body.options.n' }), 'extra_body.options.n'],
    [operations({ mode: 'set', path: 'parameters.sampleCount', value: 4 }), 'parameters.sampleCount'],
    [operations({ mode: 'sync_fields', from: 'json:model', to: 'header:X-Model' }), 'model'],
    [operations({ mode: 'sync_fields', from: 'header:X-Model', to: 'json:model' }), 'model'],
    [operations({ mode: 'sync_fields', from: 'model', to: 'json:a' }), 'operations.0.from'],
    [operations({ mode: 'regex_replace', path: 'a', from: '(a+)+$', to: '' }), 'operations.0.from'],
    [operations({ mode: 'replace', path: 'a', from: '', to: 'x' }), 'operations.0.from'],
    [operations({ mode: 'set_header', path: 'Content-Length', value: '1' }), 'Content-Length'],
    [operations({ mode: 'copy_header', from: 'X-A', to: 'Host' }), 'Host'],
    [operations({ mode: 'pass_headers', value: [1] }), 'operations.0.value'],
    [operations({ mode: 'return_error', value: { message: 'no', status_code: 200 } }), 'operations.0.value'],
    [operations({ mode: 'return_error', value: '' }), 'operations.0.value'],
    [operations({ mode: 'prune_objects', value: {} }), 'operations.0.value'],
    [{ operations: Array.from({ length: 101 }, () => ({ mode: 'delete', path: 'a' })) }, 'operations'],
  ])('refuses %j at %s', (document, place) => {
    expect(faultOfOverride(document)).toBe(place);
  });

  it.each([
    {},
    { temperature: null, 'a.b': 1 },
    operations({ mode: 'copy', from: 'model', to: 'metadata.model' }),
    operations({ mode: 'set', path: 'messages.0.model', value: 'x', logic: 'and', conditions: null }),
    operations({ mode: 'return_error', value: { message: 'no', status_code: 599 } }),
  ])('takes %j', (document) => {
    expect(faultOfOverride(document)).toBeUndefined();
  });
});
