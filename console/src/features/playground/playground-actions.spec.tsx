import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aLogLine, aStatus } from '../../testing/builders';
import { FakeApi, pageOf, type RouteAnswer, type Routes } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const PATH = 'POST /pg/chat/completions';
const delta = (members: object): string => JSON.stringify({ choices: [{ delta: members }] });
let calls = 0;

/** A whole streamed answer with a request id of its own. */
function streamed(...events: readonly string[]): RouteAnswer {
  calls += 1;
  const body = [...events, '[DONE]'].map((event) => `data: ${event}\n\n`).join('');
  return {
    response: new Response(body, {
      headers: { 'content-type': 'text/event-stream', 'x-request-id': `call-${calls}` },
    }),
  };
}

interface Setting {
  readonly path?: string;
  readonly routes?: Routes;
  readonly role?: number;
}

function playground(
  answer: () => RouteAnswer,
  { path = '/playground', routes = {}, role = 100 }: Setting = {},
) {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/user/models': { data: ['gpt-4o', 'gpt-4o-mini'] },
    'GET /api/user/self/groups': { data: { default: { desc: 'Usual', ratio: 1 } } },
    'GET /api/log/self': ({ query }) =>
      pageOf([
        aLogLine({
          type: 2,
          request_id: query.get('request_id'),
          prompt_tokens: 1_200,
          completion_tokens: 30,
          quota: 500,
        }),
      ]),
    [PATH]: answer,
    ...routes,
  });
  return renderConsole(path, api, { role });
}

async function ask(user: ReturnType<typeof renderConsole>['user'], text: string): Promise<void> {
  await waitFor(() =>
    expect(screen.getAllByRole('combobox', { name: /Model/i })[0]).toHaveTextContent('gpt-4o'),
  );
  await user.type(screen.getByRole('textbox', { name: 'Message' }), `${text}{Enter}`);
}
const sent = (index: number) =>
  api.made(PATH).at(index)?.body as { model: string; messages: { role: string; content: string }[] };
const answers = () => screen.getAllByRole('article', { name: 'Model' });

describe('actions of the playground', () => {
  it('shows time, tokens, money and the reason under an answer', async () => {
    const { user } = playground(() => streamed(delta({ content: 'Two.' })));
    await ask(user, 'Sum?');
    const receipt = await screen.findByRole('group', { name: 'Receipt' });
    await waitFor(() => expect(receipt).toHaveTextContent(/1,200 → 30 tokens · \$0\.001 · Why\?/));
    expect(api.made('GET /api/log/self')[0]?.query.get('request_id')).toBe(`call-${calls}`);
  });

  it('repeats an answer, and shows each version', async () => {
    let count = 0;
    const { user } = playground(() => streamed(delta({ content: `Answer ${++count}` })));
    await ask(user, 'Sum?');
    await user.click(await screen.findByRole('button', { name: 'Regenerate the answer' }));
    expect(await screen.findByText('Answer 2')).toBeVisible();
    expect(sent(1).messages).toEqual(sent(0).messages);
    await user.click(await screen.findByRole('button', { name: 'Earlier version' }));
    expect(await screen.findByText('Answer 1')).toBeVisible();
    expect(screen.queryByText('Answer 2')).toBeNull();
  });

  it('asks an edited question in place of the first, which stays a version', async () => {
    const { user } = playground(() => streamed(delta({ content: 'Yes' })));
    await ask(user, 'Old');
    await screen.findByText('Yes');
    const edits = await screen.findAllByRole('button', { name: 'Edit the question' });
    await waitFor(() => expect(edits.at(-1)).toBeEnabled());
    await user.click(edits.at(-1) as HTMLElement);
    const box = screen.getByRole('textbox', { name: 'Edited question' });
    await user.clear(box);
    await user.type(box, 'New');
    await user.click(screen.getByRole('button', { name: 'Ask again' }));
    await waitFor(() => expect(api.made(PATH)).toHaveLength(2));
    expect(
      sent(1)
        .messages.map(({ content }) => content)
        .slice(-1),
    ).toEqual(['New']);
    expect(sent(1).messages).toHaveLength(sent(0).messages.length);
    await user.click(await screen.findByRole('button', { name: 'Earlier version' }));
    expect(await screen.findByText('Old')).toBeVisible();
  });

  it('sends the result of a tool that the reader enters, and shows the answer that follows', async () => {
    let count = 0;
    const { user } = playground(() =>
      ++count === 1
        ? streamed(
            delta({
              tool_calls: [
                { index: 0, id: 't1', function: { name: 'get_weather', arguments: '{"city":"Ulm"}' } },
              ],
            }),
          )
        : streamed(delta({ content: 'It is cold.' })),
    );
    await user.click(await screen.findByText('Tools and JSON answers'));
    await user.click(screen.getByRole('button', { name: 'Insert an example for Tools (JSON)' }));
    await ask(user, 'Weather?');
    const tool = await screen.findByRole('region', { name: 'Function call: get_weather' });
    expect(sent(0)).toMatchObject({ tools: [{ type: 'function', function: { name: 'get_weather' } }] });
    await user.click(within(tool).getByRole('textbox', { name: 'Result' }));
    await user.paste('{"degrees":3}');
    await user.click(within(tool).getByRole('button', { name: 'Send the result' }));
    expect(await screen.findByText('It is cold.')).toBeVisible();
    expect(sent(1).messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: null, tool_calls: [{ id: 't1' }] },
      { role: 'tool', tool_call_id: 't1', content: '{"degrees":3}' },
    ]);
    const receipt = await screen.findByRole('group', { name: 'Receipt' });
    await waitFor(() => expect(receipt).toHaveTextContent(/2,400 → 60 tokens · \$0\.002/));
  });

  it('names a fault of the schema and does not send it', async () => {
    const { user } = playground(() => streamed(delta({ content: 'Yes' })));
    await user.click(await screen.findByText('Tools and JSON answers'));
    await user.click(screen.getByRole('textbox', { name: 'Answer schema (JSON)' }));
    await user.paste('{');
    expect(screen.getByText('This is not valid JSON, so it is not sent.')).toBeVisible();
    await ask(user, 'x');
    await screen.findByText('Yes');
    expect(sent(0)).not.toHaveProperty('response_format');
  });

  it('asks two models side by side, adds up each and counts votes', async () => {
    const { user } = playground(() => streamed(delta({ content: 'Yes' })));
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Model' })).toHaveTextContent('gpt-4o-mini'),
    );
    await user.click(screen.getByRole('button', { name: 'Compare' }));
    expect(screen.getAllByRole('combobox', { name: 'Compared model' })).toHaveLength(2);
    await ask(user, 'Both?');
    await waitFor(() => expect(api.made(PATH)).toHaveLength(2));
    expect([sent(0).model, sent(1).model].toSorted()).toEqual(['gpt-4o', 'gpt-4o-mini']);
    const lanes = screen.getAllByRole('region', { name: /^Answers of/ });
    await waitFor(() => expect(lanes[1]).toHaveTextContent(/\$0\.001 · .* · 0 votes/));
    for (const lane of lanes) await user.click(within(lane).getByRole('button', { name: 'Best answer' }));
    await waitFor(() => expect(lanes[1]).toHaveTextContent('1 vote'));
    expect(lanes[0]).toHaveTextContent('0 votes');
  });

  it('opens the conversation as code, without a key', async () => {
    const { user } = playground(() => streamed(delta({ content: 'Yes' })));
    await ask(user, 'As a program?');
    await screen.findByText('Yes');
    await user.click(screen.getByRole('button', { name: 'Open as code' }));
    const dialog = await screen.findByRole('dialog', { name: 'Open as code' });
    await user.click(within(dialog).getByRole('tab', { name: 'Python' }));
    expect(within(dialog).getByRole('tabpanel')).toHaveTextContent('As a program?');
    expect(within(dialog).getByRole('tabpanel')).toHaveTextContent('sk-YOUR_KEY');
  });

  it('takes model and question from the address, and does not send by itself', async () => {
    playground(() => streamed(delta({ content: 'Yes' })), { path: '/playground?model=gpt-4o&q=Why%3F' });
    const box = await screen.findByRole('textbox', { name: 'Message' });
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Model' })).toHaveTextContent(/^gpt-4o$/),
    );
    expect(box).toHaveValue('Why?');
    expect(api.made(PATH)).toEqual([]);
  });

  it('shows the request and the raw events of an answer', async () => {
    const { user } = playground(() => streamed(delta({ content: 'Yes' })));
    await ask(user, 'Raw?');
    await user.click(await screen.findByRole('button', { name: 'Show request and response' }));
    const drawer = await screen.findByRole('dialog', { name: 'Request and response' });
    await user.click(within(drawer).getByRole('tab', { name: 'Request' }));
    expect(within(drawer).getByRole('tabpanel')).toHaveTextContent('"content": "Raw?"');
    await user.click(within(drawer).getByRole('tab', { name: 'Response' }));
    expect(within(drawer).getByRole('tabpanel')).toHaveTextContent(delta({ content: 'Yes' }));
    expect(within(drawer).getByRole('tabpanel')).toHaveTextContent(`x-request-id: call-${calls}`);
  });

  it.each([
    [100, 'Set a price', '/prices?prices=unset_models'],
    [1, 'Accept models without a price', '/personal?tab=prices'],
  ])('gives role %d the way out of a missing price: %s', async (role, name, path) => {
    const refusal = () => ({
      response: Response.json({ error: { message: 'No price', code: 'model_price_error' } }, { status: 400 }),
    });
    const { user } = playground(refusal, { role });
    await ask(user, 'x');
    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', path);
    expect(answers().at(-1)).toHaveTextContent('not charged');
  });
});

describe('images in the playground', () => {
  const PNG = 'iVBORw0KGgo=';
  it('makes an image with a model for images, and shows what it cost', async () => {
    const listed = (model_name: string, type: string) => ({
      model_name,
      enable_groups: ['default'],
      supported_endpoint_types: [type],
      is_price_unset: false,
    });
    const { user } = playground(() => streamed(), {
      path: '/playground?mode=image',
      routes: {
        'GET /api/user/models': { data: ['dall-e-3', 'gpt-4o'] },
        'GET /api/pricing': { data: [listed('dall-e-3', 'image-generation'), listed('gpt-4o', 'openai')] },
        'POST /pg/images/generations': {
          response: Response.json({ data: [{ b64_json: PNG }] }, { headers: { 'x-request-id': 'image-1' } }),
        },
      },
    });
    const form = await screen.findByRole('form', { name: 'Image settings' });
    await waitFor(() =>
      expect(within(form).getByRole('combobox', { name: 'Model' })).toHaveTextContent('dall-e-3'),
    );
    await user.type(within(form).getByRole('textbox', { name: 'Describe the image' }), 'a cat');
    await user.click(within(form).getByRole('button', { name: 'Create images' }));
    expect(await screen.findByRole('img', { name: 'image 1' })).toHaveAttribute(
      'src',
      `data:image/png;base64,${PNG}`,
    );
    expect(api.made('POST /pg/images/generations')[0]?.body).toEqual({
      model: 'dall-e-3',
      group: '',
      prompt: 'a cat',
      n: 1,
    });
    await waitFor(() => expect(screen.getByRole('group', { name: 'Receipt' })).toHaveTextContent('$0.001'));
  });
});
