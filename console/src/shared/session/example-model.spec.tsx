import { afterEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderElement } from '../../testing/render';
import { useExampleModel } from './example-model';

function Example({ models }: { models: readonly string[] }) {
  return <p>call {useExampleModel(models)}</p>;
}

describe('the model of a first call', () => {
  let api: FakeApi;
  afterEach(() => api.stop());

  const listed = (name: string, types: string[], ratio: number, isUnset = false) => ({
    model_name: name,
    quota_type: 0,
    model_ratio: ratio,
    completion_ratio: 2,
    supported_endpoint_types: types,
    is_price_unset: isUnset,
  });

  it.each([
    ['one that chats and has a price', ['a-unset', 'b-embeds', 'c-chats', 'd-chats'], 'c-chats'],
    ['the cheapest one', ['d-chats', 'c-chats', 'gpt-4o-mini'], 'gpt-4o-mini'],
    ['the first one where none does', ['a-unset', 'b-embeds'], 'a-unset'],
    ['some name where there is none', [], 'gpt-4o-mini'],
  ])('chooses %s', async (_, models, chosen) => {
    api = new FakeApi({
      'GET /api/pricing': {
        data: [
          listed('a-unset', ['openai'], 0.1, true),
          listed('b-embeds', ['embeddings'], 0.1),
          listed('c-chats', ['openai', 'anthropic'], 1),
          listed('d-chats', ['openai'], 30),
          listed('gpt-4o-mini', ['openai'], 0.075),
        ],
      },
    });
    api.start();
    renderElement(<Example models={models} />);
    expect(await screen.findByText(`call ${chosen}`)).toBeVisible();
  });
});
