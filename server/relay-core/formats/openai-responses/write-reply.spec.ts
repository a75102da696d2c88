import { describe, expect, it } from '@jest/globals';
import { type Document } from '../shared/fields/json-fields.js';
import { openaiResponses } from './index.js';
import { CONTEXT, parsed, USAGE } from '../../../../test/support/fixtures/openai-responses.fixture.js';

describe('whole replies', () => {
  const document = {
    id: 'resp_7',
    object: 'response',
    created_at: 9,
    status: 'completed',
    model: 'served',
    output: [
      {
        id: 'rs_1',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Why' }],
        encrypted_content: 'enc',
      },
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        content: [
          {
            type: 'output_text',
            text: 'So',
            annotations: [{ type: 'file_citation', file_id: 'f', filename: 'n', index: 1 }],
          },
        ],
      },
      { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}', status: 'completed' },
      {
        id: 'ig_1',
        type: 'image_generation_call',
        status: 'completed',
        result: 'QUJD',
        output_format: 'webp',
      },
      { id: 'mcp_1', type: 'mcp_call', name: 'x', arguments: '{}', output: 'y' },
    ],
    usage: USAGE,
    service_tier: 'default',
    mystery: 1,
  };
  const call = parsed({ input: 'x' });

  it('keeps their items and what we do not know in the same format', () => {
    const read = openaiResponses.readReply(Buffer.from(JSON.stringify(document)), call);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.usage?.tools).toEqual({ 'image-generation': 1 });
    const back = JSON.parse(openaiResponses.writeReply(read.value, CONTEXT, call).toString()) as Document;
    expect(back).toMatchObject({ id: 'resp_7', mystery: 1, usage: USAGE, status: 'completed' });
    expect(back['output']).toMatchObject([
      document.output[0] as object,
      { type: 'message', content: [{ text: 'So', annotations: [{ type: 'file_citation', file_id: 'f' }] }] },
      document.output[2] as object,
      document.output[3] as object,
      document.output[4] as object,
    ]);
  });

  it.each(['', '{}', '[]', '{"output":5}'])('refuses malformed ones: %j', (text) => {
    expect(openaiResponses.readReply(Buffer.from(text), call)).toMatchObject({
      ok: false,
      error: { kind: 'upstream-malformed' },
    });
  });
});
