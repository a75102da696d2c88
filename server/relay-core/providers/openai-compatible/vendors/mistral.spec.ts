import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../../../test/support/memory-ports.js';
import { aProviderCall, parsedBy, someEdits } from '../../../../../test/support/relay-calls.js';
import { EMBEDDINGS_FORMAT } from '../../../formats/openai-embeddings/id.js';
import { openaiEmbeddings } from '../../../formats/openai-embeddings/index.js';
import { findOperation } from '../../provider.js';
import { findProvider } from '../../registry.js';

/** The written request of an embedding call to Mistral, and the settings that its warnings name. */
function embed(model: string, members: Readonly<Record<string, unknown>>) {
  const provider = findProvider(42);
  if (!provider.ok) throw new Error(provider.error.message);
  const route = aRoute({ channelType: 42, upstreamModel: model });
  const call = aProviderCall({ route, clientFormat: EMBEDDINGS_FORMAT });
  const operation = findOperation(provider.value, 'embed', call);
  const asked = parsedBy(openaiEmbeddings, { model, input: ['a', 'b'], ...members }).neutral();
  if (operation === undefined || !asked.ok) throw new Error('the call has no request');
  const change = operation.adapt?.(call)?.change;
  const edits = someEdits({ ...operation.edits(call), upstreamModel: model });
  const { body, warnings } = openaiEmbeddings.writeRequest(change?.(asked.value) ?? asked.value, edits);
  return {
    body: JSON.parse(body.toString()) as unknown,
    warned: warnings.map(({ setting }) => setting),
  };
}

describe('embeddings of Mistral', () => {
  const sent = { dimensions: 256, encoding_format: 'base64', user: 'u' };

  it('gets the size under its own name for the model that has several', () => {
    expect(embed('codestral-embed-2505', sent)).toEqual({
      body: { model: 'codestral-embed-2505', input: ['a', 'b'], output_dimension: 256 },
      warned: ['user'],
    });
  });

  it('leaves the size out with a warning for the model that has one', () => {
    expect(embed('mistral-embed', sent)).toEqual({
      body: { model: 'mistral-embed', input: ['a', 'b'] },
      warned: expect.arrayContaining(['dimensions', 'user']),
    });
  });

  it('keeps members of the vendor’s own', () => {
    const own = { output_dimension: 64, output_dtype: 'int8' };
    expect(embed('codestral-embed', own).body).toMatchObject(own);
  });
});
