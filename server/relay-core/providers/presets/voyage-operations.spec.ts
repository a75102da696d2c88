import { describe, expect, it } from '@jest/globals';
import { parsedBy, someEdits } from '../../../../test/support/relay-calls.js';
import { openaiEmbeddings } from '../../formats/openai-embeddings/index.js';
import { rerank } from '../../formats/rerank/index.js';
import { voyageEmbed, voyageRerank } from './voyage-operations.js';

const EDITS = someEdits({ upstreamModel: 'up' });

function neutralOf<Request>(call: { neutral(): { ok: true; value: Request } | { ok: false } }): Request {
  const neutral = call.neutral();
  if (!neutral.ok) throw new Error('not understood');
  return neutral.value;
}

describe('Voyage', () => {
  it('gets the size under its own name, and none of the members that it refuses', () => {
    const asked = parsedBy(openaiEmbeddings, {
      model: 'm',
      input: ['a', 'b'],
      dimensions: 256,
      encoding_format: 'float',
      user: 'u',
      input_type: 'query',
      task: 'x',
    });
    const { body, warnings } = voyageEmbed.writeRequest(neutralOf(asked), EDITS);
    expect(JSON.parse(body.toString())).toEqual({
      model: 'up',
      input: ['a', 'b'],
      output_dimension: 256,
      input_type: 'query',
    });
    expect(warnings.map(({ setting }) => setting)).toEqual(['user', 'task']);
  });

  it('gets the number of results as top_k', () => {
    const asked = parsedBy(rerank, {
      model: 'm',
      query: 'q',
      documents: ['a', { text: 'b' }],
      top_n: 1,
      rank_fields: ['x'],
    });
    const { body, warnings } = voyageRerank.writeRequest(neutralOf(asked), EDITS);
    expect(JSON.parse(body.toString())).toEqual({
      model: 'up',
      query: 'q',
      documents: ['a', 'b'],
      top_k: 1,
      return_documents: false,
    });
    expect(warnings.map(({ setting }) => setting)).toEqual(['rank_fields']);
  });
});
