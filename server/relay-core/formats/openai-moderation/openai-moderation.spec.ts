import { describe, expect, it } from '@jest/globals';
import type { ParsedCall } from '../contract/api-format.js';
import { openaiModeration } from './index.js';
import { someEdits } from '../../../../test/support/relay-calls.js';

const EDITS = someEdits({ upstreamModel: 'mapped' });
const parse = (body: unknown) =>
  openaiModeration.parseCall(Buffer.from(JSON.stringify(body)), {
    pathModel: undefined,
    query: '',
    headers: {},
  });

function parsed(body: unknown): ParsedCall<'moderate'> {
  const call = parse(body);
  if (!call.ok) throw new Error(call.error.message);
  return call.value;
}

describe('moderation', () => {
  it.each([[{}], [{ input: '' }], [{ input: [] }], [{ input: 5 }], [{ input: null }]])(
    '%j is refused, naming the field [RLY-04]',
    (body) => {
      expect(parse(body)).toMatchObject({ ok: false, error: { kind: 'invalid-request', param: 'input' } });
    },
  );

  it('takes the vendor’s default without a model, and names it upstream', () => {
    const call = parsed({ input: 'x' });
    expect(call.shape.model).toBe('omni-moderation-latest');
    expect(JSON.parse(openaiModeration.spliceRequest(call, EDITS).toString())).toEqual({
      input: 'x',
      model: 'mapped',
    });
  });

  it.each([
    ['one text', 'x'],
    ['texts', ['x', 'y']],
    [
      'texts and pictures',
      [
        { type: 'text', text: 'x' },
        { type: 'image_url', image_url: { url: 'https://x/1.png' } },
      ],
    ],
  ])('says the same on the translated path: %s', (_name, input) => {
    const neutral = parsed({ model: 'm', input, own: 1 }).neutral();
    if (!neutral.ok) throw new Error(neutral.error.message);
    const { body } = openaiModeration.writeRequest(neutral.value, EDITS);
    expect(JSON.parse(body.toString())).toEqual({ model: 'mapped', input, own: 1 });
  });

  it.each([
    ['{"results":[{"flagged":true}]}', 'answer'],
    ['{"results":[]}', 'empty'],
    ['{"error":{"message":"no"}}', 'error'],
    ['{"error":"no"}', 'error'],
    ['{"results":[', 'malformed'],
  ])('%s is %s', (text, verdict) => {
    const meter = openaiModeration.openMeter(parsed({ input: 'one two three' }));
    expect(meter.readWhole(Buffer.from(text))).toBe(verdict);
    expect(meter.ownCount()).toEqual({ input: { total: 3 }, output: { total: 0 } });
  });

  it('gives judgements back as they came', () => {
    const call = parsed({ model: 'm', input: 'x' });
    const document = { id: 'modr-1', model: 'v', results: [{ flagged: false, categories: { x: true } }] };
    const read = openaiModeration.readReply(Buffer.from(JSON.stringify(document)), call);
    if (!read.ok) throw new Error(read.error.message);
    const context = {
      callId: 'c',
      createdAtSeconds: 1,
      model: 'm',
      wantsStreamUsage: false,
      promptTokens: 0,
    };
    expect(JSON.parse(openaiModeration.writeReply(read.value, context, call).toString())).toEqual(document);
  });
});
