import { describe, expect, it } from '@jest/globals';
import { MESSAGE, sentTo } from '../../../../test/support/sent-to.js';
import { list, object, type Json } from '../../../../test/support/strict-vendors/story.js';

const IMAGE: Json = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
};
const words = (text: string): Json => ({ type: 'text', text });
const result = (id: string, content: unknown): Json => ({ type: 'tool_result', tool_use_id: id, content });

/** The turn with the results, as it reaches a channel of the preset. */
async function sentTurn(preset: string, content: readonly Json[]): Promise<readonly Json[]> {
  const asked = {
    messages: [
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })),
      },
      { role: 'user', content },
    ],
  };
  const settings = { vendor: { preset, messages_path: '/v1/messages' } };
  const { body } = await sentTo(1, 'messages', asked, { settings, answer: MESSAGE });
  return list(object(list(body['messages'])[2])['content']).map(object);
}

describe('results of tools at a vendor that takes texts alone there', () => {
  const label = words("Files of the tool's answer a:");
  it.each([
    ['an image', [result('a', [IMAGE])], [result('a', [label]), label, IMAGE]],
    [
      'an image beside a text',
      [result('a', [words('ok'), IMAGE])],
      [result('a', [words('ok')]), label, IMAGE],
    ],
    [
      'an image of the first of two results',
      [result('a', [words('ok'), IMAGE]), result('b', 'r'), words('go')],
      [result('a', [words('ok')]), result('b', 'r'), label, IMAGE, words('go')],
    ],
    ['texts alone', [result('a', [words('ok')]), words('go')], [result('a', [words('ok')]), words('go')]],
    ['an image of the user', [result('a', 'r'), IMAGE], [result('a', 'r'), IMAGE]],
  ])('get their images behind them: %s', async (_name, sent, arrived) => {
    expect(await sentTurn('lm-studio', sent)).toEqual(arrived);
  });

  it('stay whole at another server', async () => {
    const sent = [result('a', [words('ok'), IMAGE])];
    expect(await sentTurn('vllm', sent)).toEqual(sent);
  });
});
