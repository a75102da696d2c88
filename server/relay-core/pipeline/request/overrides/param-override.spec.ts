import { describe, expect, it } from '@jest/globals';
import type { CallerHeaders } from './header-override.js';
import { type OverrideContext, overrideRequest } from './param-override.js';
import { MULTIPLIERS } from '../output-limits.js';

const CONTEXT: OverrideContext = {
  model: 'asked',
  upstreamModel: 'sent',
  requestPath: '/v1/chat/completions',
  retryIndex: 0,
  isChannelTest: false,
};

function run(
  body: Record<string, unknown>,
  override: Record<string, unknown>,
  more: {
    context?: Partial<OverrideContext>;
    callerHeaders?: CallerHeaders;
    headers?: Record<string, string>;
  } = {},
) {
  return overrideRequest({ body: Buffer.from(JSON.stringify(body)), headers: more.headers ?? {} }, override, {
    context: { ...CONTEXT, ...more.context },
    callerHeaders: more.callerHeaders ?? {},
  });
}

function bodyAfter(...input: Parameters<typeof run>): unknown {
  const result = run(...input);
  if (!result.ok) throw new Error(result.error.message);
  return JSON.parse(result.value.body.toString('utf8'));
}

const operations = (...list: Record<string, unknown>[]) => ({ operations: list });

describe('parameter override, flat form', () => {
  it('replaces top-level members, names with dots included', () => {
    expect(bodyAfter({ temperature: 1, top_p: 1 }, { temperature: 0, 'a.b': 2 })).toEqual({
      temperature: 0,
      top_p: 1,
      'a.b': 2,
    });
  });

  it('leaves alone what was priced, and only lowers caps [CH-05]', () => {
    const body = { model: 'm', n: 1, max_tokens: 100, stream: false };
    expect(
      bodyAfter(body, { model: 'x', n: 9, max_tokens: 1000, stream: true, service_tier: 'priority' }),
    ).toEqual(body);
    expect(bodyAfter(body, { max_tokens: 10 })).toEqual({ ...body, max_tokens: 10 });
    expect(bodyAfter(body, { max_tokens: -1 })).toEqual(body);
    expect(bodyAfter(body, { max_tokens: null })).toEqual(body);
  });
});

describe('parameter override, members that multiply', () => {
  it.each([...MULTIPLIERS])('leaves %s alone at the top and in a container', (name) => {
    const inside = { parameters: { [name]: 2 } };
    expect(bodyAfter({ [name]: 2 }, { [name]: 100 })).toEqual({ [name]: 2 });
    expect(bodyAfter({}, { [name]: 100 })).toEqual({});
    expect(bodyAfter(inside, { parameters: { [name]: 100, seed: 1 } })).toEqual({
      parameters: { [name]: 2, seed: 1 },
    });
    expect(bodyAfter({}, { extra_body: { options: { [name]: 100 } } })).toEqual({
      extra_body: { options: {} },
    });
  });

  it('leaves them alone when an operation moves or copies their container', () => {
    const copy = { mode: 'copy', from: 'mine', to: 'options' };
    expect(bodyAfter({ mine: { best_of: 50 } }, operations(copy))).toEqual({
      mine: { best_of: 50 },
      options: {},
    });
    const move = { mode: 'move', from: 'options', to: 'elsewhere' };
    expect(bodyAfter({ options: { n: 2, seed: 1 } }, operations(move))).toEqual({
      elsewhere: { n: 2, seed: 1 },
      options: { n: 2 },
    });
  });
});

describe('parameter override, full form', () => {
  const cases: readonly [string, Record<string, unknown>, Record<string, unknown>, unknown][] = [
    ['set makes the way', { a: 1 }, { mode: 'set', path: 'b.c', value: 2 }, { a: 1, b: { c: 2 } }],
    [
      'set keeps an origin when asked',
      { a: 1 },
      { mode: 'set', path: 'a', value: 2, keep_origin: true },
      { a: 1 },
    ],
    [
      'set counts from the end of a list',
      { a: [1, 2] },
      { mode: 'set', path: 'a.-1', value: 9 },
      { a: [1, 9] },
    ],
    [
      'set behind the last appends, further does nothing',
      { a: [1] },
      { mode: 'set', path: 'a.1', value: 2 },
      { a: [1, 2] },
    ],
    ['set through a text does nothing', { a: 'x' }, { mode: 'set', path: 'a.b', value: 2 }, { a: 'x' }],
    ['delete', { a: { b: 1, c: 2 } }, { mode: 'delete', path: 'a.b' }, { a: { c: 2 } }],
    ['delete in a list', { a: [1, 2, 3] }, { mode: 'delete', path: 'a.0' }, { a: [2, 3] }],
    ['move', { a: 1 }, { mode: 'move', from: 'a', to: 'b.c' }, { b: { c: 1 } }],
    ['copy', { a: { x: 1 } }, { mode: 'copy', from: 'a', to: 'b' }, { a: { x: 1 }, b: { x: 1 } }],
    ['prepend to a text', { a: 'b' }, { mode: 'prepend', path: 'a', value: 'x' }, { a: 'xb' }],
    ['append to a list', { a: [1] }, { mode: 'append', path: 'a', value: [2, 3] }, { a: [1, 2, 3] }],
    [
      'append one to a list',
      { a: [1] },
      { mode: 'append', path: 'a', value: { b: 1 } },
      { a: [1, { b: 1 }] },
    ],
    [
      'append to an object',
      { a: { b: 1 } },
      { mode: 'append', path: 'a', value: { b: 2, c: 3 } },
      { a: { b: 2, c: 3 } },
    ],
    ['append to what is not there', {}, { mode: 'append', path: 'stop', value: ['x'] }, { stop: ['x'] }],
    ['append that does not fit', { a: 1 }, { mode: 'append', path: 'a', value: 'x' }, { a: 1 }],
    ['trim_prefix', { a: 'openai/gpt' }, { mode: 'trim_prefix', path: 'a', value: 'openai/' }, { a: 'gpt' }],
    ['trim_suffix', { a: 'gpt-x' }, { mode: 'trim_suffix', path: 'a', value: '-x' }, { a: 'gpt' }],
    ['ensure_prefix', { a: 'gpt' }, { mode: 'ensure_prefix', path: 'a', value: 'x/' }, { a: 'x/gpt' }],
    ['ensure_suffix once', { a: 'gpt!' }, { mode: 'ensure_suffix', path: 'a', value: '!' }, { a: 'gpt!' }],
    ['trim_space', { a: ' b ' }, { mode: 'trim_space', path: 'a' }, { a: 'b' }],
    ['to_lower', { a: 'B' }, { mode: 'to_lower', path: 'a' }, { a: 'b' }],
    ['to_upper', { a: 'b' }, { mode: 'to_upper', path: 'a' }, { a: 'B' }],
    [
      'replace, not as a pattern',
      { a: 'a.b.c' },
      { mode: 'replace', path: 'a', from: '.', to: '$&' },
      { a: 'a$&b$&c' },
    ],
    [
      'regex_replace',
      { a: 'x-12-y' },
      { mode: 'regex_replace', path: 'a', from: '-(\\d+)', to: '+$1' },
      { a: 'x+12-y' },
    ],
    [
      'prune_objects by type, at every depth',
      { messages: [{ content: [{ type: 'thinking' }, { type: 'text' }] }] },
      { mode: 'prune_objects', path: 'messages', value: 'thinking' },
      { messages: [{ content: [{ type: 'text' }] }] },
    ],
    [
      'prune_objects by members',
      {
        tools: [
          { type: 'function', name: 'a' },
          { type: 'function', name: 'b' },
        ],
      },
      { mode: 'prune_objects', path: 'tools', value: { where: { name: 'a' } } },
      { tools: [{ type: 'function', name: 'b' }] },
    ],
  ];
  for (const [name, body, operation, after] of cases) {
    it(name, () => {
      expect(bodyAfter(body, operations(operation))).toEqual(after);
    });
  }

  it('puts back what was priced when a container is replaced [CH-05]', () => {
    const body = { model: 'm', generationConfig: { maxOutputTokens: 10, candidateCount: 1 } };
    const after = bodyAfter(
      body,
      operations(
        { mode: 'move', from: 'x', to: 'y' },
        { mode: 'set', path: 'generationConfig.maxOutputTokens', value: 1000 },
        { mode: 'copy', from: 'model', to: 'metadata.model' },
      ),
    );
    expect(after).toEqual({ ...body, metadata: { model: 'm' } });
  });

  it('never reaches a prototype', () => {
    expect(bodyAfter({ a: 1 }, operations({ mode: 'set', path: '__proto__.polluted', value: true }))).toEqual(
      { a: 1 },
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('applies operations in order, each under its conditions', () => {
    const override = operations(
      {
        mode: 'set',
        path: 'a',
        value: 1,
        conditions: [{ path: 'original_model', mode: 'prefix', value: 'ask' }],
      },
      { mode: 'set', path: 'b', value: 1, conditions: [{ path: 'a', mode: 'gte', value: 1 }] },
      { mode: 'set', path: 'c', value: 1, conditions: [{ path: 'is_retry', mode: 'full', value: true }] },
      {
        mode: 'set',
        path: 'd',
        value: 1,
        logic: 'AND',
        conditions: [
          { path: 'header:x-app', mode: 'contains', value: 'cli' },
          { path: 'nothing.here', value: 1, pass_missing_key: true },
          { path: 'model', mode: 'full', value: 'other', invert: true },
        ],
      },
      { mode: 'set', path: 'e', value: 1, conditions: [{ path: 'nothing.here', value: 1 }] },
    );
    expect(bodyAfter({}, override, { callerHeaders: { 'x-app': 'my-cli' } })).toEqual({ a: 1, b: 1, d: 1 });
    expect(bodyAfter({}, override, { context: { retryIndex: 1 } })).toEqual({ a: 1, b: 1, c: 1 });
  });

  it('reads the error of the attempt before', () => {
    const override = operations({
      mode: 'delete',
      path: 'thinking',
      conditions: [{ path: 'last_error_message', mode: 'contains', value: 'thinking' }],
    });
    const context = { retryIndex: 1, lastError: { status: 400, message: 'no thinking here' } };
    expect(bodyAfter({ thinking: {} }, override, { context })).toEqual({});
    expect(bodyAfter({ thinking: {} }, override)).toEqual({ thinking: {} });
  });

  it('return_error refuses the call without another attempt', () => {
    const override = operations({
      mode: 'return_error',
      value: { message: 'Not here.', status_code: 403, code: 'no' },
    });
    expect(run({}, override)).toEqual({
      ok: false,
      error: expect.objectContaining({
        kind: 'upstream-request-rejected',
        message: 'Not here.',
        upstreamStatus: 403,
        vendorCode: 'no',
        isFinal: true,
      }),
    });
  });

  it('edits outgoing headers, never credentials of the caller or framing [RLY-02]', () => {
    const headersAfter = (...forbidden: Parameters<typeof operations>) => {
      const result = run(
        { metadata: {} },
        operations(
          { mode: 'set_header', path: 'X-Team', value: 'blue' },
          ...forbidden,
          { mode: 'copy_header', from: 'x-trace', to: 'x-copied' },
          { mode: 'copy_header', from: 'authorization', to: 'x-stolen' },
          { mode: 'pass_headers', value: ['user-agent', 'cookie', 'x-api-key'] },
          { mode: 'delete_header', path: 'accept' },
          { mode: 'sync_fields', from: 'json:metadata.session', to: 'header:x-session' },
        ),
        {
          callerHeaders: {
            'x-trace': 't1',
            authorization: 'Bearer sk-caller',
            'user-agent': 'agent/1',
            cookie: 'a=b',
            'x-api-key': 'sk-caller',
            'x-session': 's1',
          },
          headers: { accept: 'application/json' },
        },
      );
      if (!result.ok) throw new Error(result.error.message);
      return result.value;
    };
    // One operation of the list names a forbidden header: the whole list is refused when saved, and changes nothing here.
    const refused = headersAfter({ mode: 'set_header', path: 'Content-Length', value: '1' });
    expect(refused.headers).toEqual({ accept: 'application/json' });
    const allowed = headersAfter();
    expect(allowed.headers).toEqual({ 'x-team': 'blue', 'x-copied': 't1', 'user-agent': 'agent/1' });
    expect(JSON.parse(allowed.body.toString('utf8'))).toEqual({ metadata: { session: 's1' } });
  });

  it('notes edits of prompts and system instructions for the log', () => {
    const result = run(
      { messages: [{ content: 'a' }], x: 'a' },
      operations(
        { mode: 'append', path: 'messages.0.content', value: '!' },
        { mode: 'set', path: 'x', value: 'b' },
      ),
    );
    expect(result.ok && result.value.notes).toEqual(['messages.0.content']);
  });
});
