import { afterEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { aSelf } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderElement } from '../../testing/render';
import { type CallKind, useCallableModels } from './example-model';

const NAMES = ['chats', 'unpriced', 'other-group', 'paints', 'unlisted'];

function Names({ kind }: { kind: CallKind }) {
  return <p>can call {useCallableModels(NAMES, 'default', kind).join(' ')}.</p>;
}

describe('models an account can call', () => {
  let api: FakeApi;
  afterEach(() => api.stop());

  const listed = (name: string, parts: object = {}) => ({
    model_name: name,
    enable_groups: ['default'],
    supported_endpoint_types: ['openai'],
    is_price_unset: false,
    ...parts,
  });

  it.each([
    ['leaves out those without a price', '{}', 'openai', 'chats unlisted'],
    [
      'has those without a price for an account that accepts them',
      '{"accept_unset_model_ratio_model":true}',
      'openai',
      'chats unpriced unlisted',
    ],
    ['has those of one kind', '{}', 'image-generation', 'paints'],
  ] as const)('%s', async (_, setting, kind, names) => {
    api = new FakeApi({
      'GET /api/user/self': { data: aSelf({ setting }) },
      'GET /api/pricing': {
        data: [
          listed('chats'),
          listed('unpriced', { is_price_unset: true }),
          listed('other-group', { enable_groups: ['vip'] }),
          listed('paints', { supported_endpoint_types: ['image-generation'] }),
        ],
      },
    });
    api.start();
    renderElement(<Names kind={kind} />);
    expect(await screen.findByText(`can call ${names}.`)).toBeVisible();
  });
});
