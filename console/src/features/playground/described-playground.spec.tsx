import { afterEach, describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const PATH = 'POST /pg/chat/completions';

const streamOf = (...events: string[]) =>
  new Response(events.map((event) => `data: ${event}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
const words = (content: string) => JSON.stringify({ choices: [{ delta: { content } }] });

async function ask(response: Response) {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/user/models': { data: ['gpt-4o', 'gpt-4o-mini'] },
    'GET /api/user/self/groups': { data: { default: { desc: 'Usual', ratio: 1 } } },
    [PATH]: { response },
  });
  const { user } = renderConsole('/playground', api);
  const box = await screen.findByRole('textbox', { name: 'Message' });
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: /Model/ })).toHaveTextContent('gpt-4o-mini'),
  );
  return { user, send: () => user.type(box, 'hello{Enter}') };
}
const last = () => screen.getAllByRole('article', { name: 'Model' }).at(-1);

describe('the playground as the specification has it', () => {
  it('moves the temperature in tenths up to 1, and sends the limit as a whole number', async () => {
    const { user, send } = await ask(streamOf(words('yes'), '[DONE]'));
    const slider = screen.getByRole('slider', { name: /Temperature/ });
    expect(slider).toHaveAttribute('step', '0.1');
    expect(slider).toHaveAttribute('max', '1');
    fireEvent.change(slider, { target: { value: 0.7 } });
    const limit = screen.getByLabelText(/^Max/i);
    expect(limit).toHaveValue(0);
    await user.clear(limit);
    await user.type(limit, '256');
    await send();
    expect(await screen.findByText('yes')).toBeVisible();
    expect(api.made(PATH)[0]?.body).toMatchObject({ temperature: 0.7, max_tokens: 256, stream: true });
  });

  it('takes an answer for complete whose stream closes without a word', async () => {
    const { send } = await ask(streamOf(words('all there is')));
    await send();
    expect(await screen.findByText('all there is')).toBeVisible();
    await waitFor(() => expect(last()).toHaveAttribute('aria-busy', 'false'));
  });

  it('does not ask again by itself when an answer failed', async () => {
    const { send } = await ask(streamOf(words('half'), '{"error":{"message":"broke off"}}'));
    await send();
    expect(await screen.findByRole('alert')).toHaveTextContent('broke off');
    expect(await screen.findByRole('button', { name: 'Send' })).toBeVisible();
    expect(api.made(PATH)).toHaveLength(1);
  });
});
