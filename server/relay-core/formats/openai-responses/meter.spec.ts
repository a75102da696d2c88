import { describe, expect, it } from '@jest/globals';
import { ResponsesMeter } from './meter.js';
import {
  frame,
  RESPONSE,
  USAGE,
  STREAM,
  readAll,
} from '../../../../test/support/fixtures/openai-responses.fixture.js';

describe('ResponsesMeter', () => {
  const verdictOf = (data: string) => {
    const meter = new ResponsesMeter();
    const bytes = Buffer.from(data);
    return { verdict: meter.readEvent(bytes, 0, bytes.length), meter };
  };

  it.each([
    ['', 'silent'],
    ['[DONE]', 'silent'],
    ['{', 'malformed'],
    [frame('response.created', { response: RESPONSE }), 'setup'],
    [frame('response.output_item.added', { item: { type: 'message' } }), 'setup'],
    [frame('response.output_item.added', { item: { type: 'function_call', name: 'f' } }), 'content'],
    [frame('response.output_text.delta', { delta: 'a' }), 'content'],
    [frame('response.output_text.delta', { delta: '' }), 'setup'],
    [frame('response.audio.delta', { delta: 'QUJD' }), 'content'],
    [frame('response.output_item.done', { item: { type: 'reasoning' } }), 'content'],
    [frame('response.completed', { response: { usage: USAGE } }), 'end'],
    [frame('response.incomplete', { response: {} }), 'end'],
    [frame('response.failed', { response: { error: { message: 'no' } } }), 'error'],
    [frame('error', { message: 'no' }), 'error'],
    [frame('response.mystery', { message: 'a note' }), 'setup'],
    [JSON.stringify({ error: { message: 'no' } }), 'error'],
    [JSON.stringify({ detail: 'no' }), 'error'],
    [JSON.stringify({ delta: 'first', type: 'response.output_text.delta' }), 'content'],
  ])('%s is %s', (data, expected) => {
    expect(verdictOf(data).verdict).toBe(expected);
  });

  it('shows the vendor’s failure', () => {
    expect(
      verdictOf(frame('response.failed', { response: { error: { code: 'c', message: 'no' } } })).meter,
    ).toMatchObject({
      errorDocument: { error: { code: 'c', message: 'no' } },
      hasFinish: false,
    });
  });

  it('counts text, names and arguments once, and what the reader reports is what it reports', () => {
    const meter = new ResponsesMeter();
    for (const data of STREAM) {
      const bytes = Buffer.from(`  ${data} `);
      meter.readEvent(bytes, 2, bytes.length - 1);
    }
    expect(meter.produced.keptText()).toBe('WhyHowGrüß dich 🙂fg{"b"{}:2}');
    expect(meter.hasFinish).toBe(true);
    const usage = readAll(STREAM).find((event) => event.type === 'usage');
    expect(meter.usage).toEqual(usage?.type === 'usage' ? usage.usage : undefined);
  });

  it.each([
    [
      { output: [{ type: 'message', content: [{ type: 'output_text', text: 'a' }] }], status: 'completed' },
      'answer',
    ],
    [{ output: [], status: 'completed' }, 'empty'],
    [{ output: [], status: 'failed', error: { message: 'no' } }, 'error'],
    [{ error: { message: 'no' } }, 'error'],
    [{ message: 'no' }, 'error'],
    [{ id: 'x' }, 'empty'],
  ])('reads a whole reply: %j is %s', (document, expected) => {
    expect(new ResponsesMeter().readWhole(Buffer.from(JSON.stringify(document)))).toBe(expected);
  });

  it('takes no figure that cannot be true [UP-01]', () => {
    const lie = { ...USAGE, output_tokens: -1 };
    expect(verdictOf(frame('response.completed', { response: { usage: lie } })).meter).toMatchObject({
      usage: undefined,
      usageIsInvalid: true,
    });
  });
});
