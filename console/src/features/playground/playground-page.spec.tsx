import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { changeLanguage } from '../../i18n';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(async () => {
  api.stop();
  await changeLanguage('en');
});

const PATH = 'POST /pg/chat/completions';
const encoder = new TextEncoder();
const chunk = (delta: object): string => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;

/** A stream that is written to as the test goes on. */
function openAnswer() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (own) => void (controller = own),
    cancel: () => void (isCancelled = true),
  });
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    write: (text: string) => controller?.enqueue(encoder.encode(text)),
    close: () => controller?.close(),
    fail: () => controller?.error(new DOMException('aborted', 'AbortError')),
    isCancelled: () => isCancelled,
  };
}

function playgroundApi(models = ['gpt-4o', 'gpt-4o-mini']): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/user/models': { data: models },
    'GET /api/user/self/groups': {
      data: { default: { desc: 'Default', ratio: 1 }, vip: { desc: 'VIP', ratio: 2 } },
    },
  });
  return api;
}

async function ask(text: string) {
  const view = renderConsole('/playground', api);
  const box = await screen.findByRole('textbox', { name: 'Message' });
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: /Model/ })).toHaveTextContent('gpt-4o-mini'),
  );
  await view.user.type(box, `${text}{Enter}`);
  return view;
}
const answers = () => screen.getAllByRole('article', { name: 'Model' });

describe('the playground', () => {
  it('begins with a greeting, asks with what is set, and shows the answer as it comes', async () => {
    const answer = openAnswer();
    playgroundApi().answer({ [PATH]: { response: answer.response } });
    await ask('What is 1+1?');
    expect(screen.getByText('Hello! How can I help you?')).toBeVisible();
    expect(await screen.findByRole('progressbar', { name: 'Waiting for the answer' })).toBeVisible();
    answer.write(
      chunk({ role: 'assistant', content: '' }) +
        chunk({ reasoning_content: 'easy' }) +
        chunk({ content: 'It is ' }),
    );
    answer.write(chunk({ content: '**two**' }));
    expect(await screen.findByText('two')).toBeVisible();
    expect(screen.getByText('Reasoning')).toBeVisible();
    expect(answers().at(-1)).toHaveAttribute('aria-busy', 'true');
    answer.write('data: [DONE]\n\n');
    answer.close();
    await waitFor(() => expect(answers().at(-1)).toHaveAttribute('aria-busy', 'false'));
    const [made] = api.made(PATH);
    expect(made?.headers.get('New-Api-User')).toBe('1');
    expect(made?.body).toMatchObject({
      model: 'gpt-4o-mini',
      group: '',
      stream: true,
      temperature: 0,
      max_tokens: 0,
      messages: [
        { role: 'system', content: expect.stringMatching(/^You are a helpful assistant/) },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hello! How can I help you?' },
        { role: 'user', content: 'What is 1+1?' },
      ],
    });
  });

  it('shows HTML of a model as text, its pictures as links, and no address that acts [WEB-02]', async () => {
    const answer = openAnswer();
    playgroundApi().answer({ [PATH]: { response: answer.response } });
    await ask('x');
    const hostile = [
      '<img src=x onerror=alert(1)><script>alert(2)</script>',
      '![see](https://evil.example/?secret) [go](javascript:alert(3)) <a href="javascript:alert(4)">a</a>',
      '\n```html\n<b onclick="x()">code</b>\n```',
    ].join('\n\n');
    for (const letter of hostile) answer.write(chunk({ content: letter }));
    answer.close();
    await waitFor(() => expect(answers().at(-1)).toHaveAttribute('aria-busy', 'false'));
    const shown = answers().at(-1) as HTMLElement;
    expect(shown.querySelector('img, script, [onerror], [onclick], [href^="javascript"]')).toBeNull();
    expect(shown.textContent).toContain('<script>alert(2)</script>');
    expect(shown.textContent).toContain('<b onclick="x()">code</b>');
    expect(within(shown).getByRole('link', { name: 'see' })).toHaveAttribute(
      'href',
      'https://evil.example/?secret',
    );
  });

  it('shows a failure in the middle behind what came, and a refusal in its place', async () => {
    const answer = openAnswer();
    playgroundApi().answer({ [PATH]: { response: answer.response } });
    const { user } = await ask('x');
    answer.write(chunk({ content: 'half ' }) + 'data: {"error":{"message":"broke off"}}\n\n');
    const failure = await screen.findByRole('alert');
    expect(failure).toHaveTextContent('broke off');
    expect(answers().at(-1)).toHaveTextContent(/half[\s\S]*broke off/);
    expect(within(failure).getByText('What the gateway sent').closest('details')).not.toHaveAttribute('open');
    expect(within(failure).getByText(/"message": "broke off"/)).toBeInTheDocument();
    expect(within(failure).getByRole('button', { name: 'Ask again' })).toBeVisible();
    const refusal = { error: { message: 'Your quota is used up', code: 'insufficient_user_quota' } };
    api.answer({ [PATH]: { response: Response.json(refusal, { status: 403 }) } });
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'again{Enter}');
    expect(await screen.findByText('Your quota is used up')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Top up' })).toHaveAttribute('href', '/topup');
    // The request has no failed answer as a message of the model.
    const body = api.made(PATH).at(-1)?.body as { messages: { content: string }[] };
    expect(body.messages.map(({ content }) => content)).not.toContainEqual(
      expect.stringContaining('broke off'),
    );
  });

  it('stops when asked to, and keeps what came', async () => {
    const answer = openAnswer();
    playgroundApi().answer({ [PATH]: { response: answer.response } });
    const { user } = await ask('x');
    answer.write(chunk({ content: 'so far' }));
    expect(await screen.findByText('so far')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    answer.fail();
    await waitFor(() => expect(answers().at(-1)).toHaveAttribute('aria-busy', 'false'));
    expect(screen.getByText('so far')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Send' })).toBeVisible();
  });

  it('clears the context, and begins anew without it', async () => {
    playgroundApi();
    const view = renderConsole('/playground', api);
    await view.user.click(await screen.findByRole('button', { name: 'Clear the context' }));
    expect(screen.getByText('No messages yet')).toBeVisible();
    const answer = openAnswer();
    api.answer({ [PATH]: { response: answer.response } });
    await view.user.type(screen.getByRole('textbox', { name: 'Message' }), 'new{Enter}');
    await waitFor(() => expect(api.made(PATH)).toHaveLength(1));
    expect(api.made(PATH)[0]?.body).toMatchObject({ messages: [{ role: 'system' }, { content: 'new' }] });
    answer.close();
    expect(await screen.findByRole('button', { name: 'Send' })).toBeVisible();
  });

  it('opens the login page with a message when the session has expired', async () => {
    playgroundApi().answer({ [PATH]: { refused: 'expired', status: 401 } });
    const { router } = await ask('x');
    expect(await screen.findByText(/login has expired/)).toBeVisible();
    expect(router.state.location.pathname).toBe('/login');
  });

  it.each([
    ['en', 'Not logged in or login has expired, please log in again'],
    ['zh', '未登录或登录已过期，请重新登录'],
  ] as const)('shows at /playground?expired=true that the login is over, in %s', async (language, text) => {
    playgroundApi();
    await changeLanguage(language);
    renderConsole('/playground?expired=true', api);
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
  });

  it('sends a guest from /playground?expired=true to the login page with the same text', async () => {
    playgroundApi();
    const { router } = renderConsole('/playground?expired=true', api, null);
    expect(await screen.findByText(/^Not logged in or login has expired/)).toBeVisible();
    const { pathname, search, state } = router.state.location;
    expect([pathname, search, state]).toEqual(['/login', '?expired=true', { back: '/playground' }]);
  });

  it('shows no expired login at /playground', async () => {
    playgroundApi();
    renderConsole('/playground', api);
    expect(await screen.findByRole('textbox', { name: 'Message' })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('begins with a model that has a price', async () => {
    const listed = (name: string, isUnset: boolean) => ({
      model_name: name,
      enable_groups: ['default'],
      supported_endpoint_types: ['openai'],
      is_price_unset: isUnset,
    });
    playgroundApi(['a-house-model', 'gpt-4o']).answer({
      'GET /api/pricing': { data: [listed('a-house-model', true), listed('gpt-4o', false)] },
    });
    renderConsole('/playground', api);
    await waitFor(() => expect(screen.getByRole('combobox', { name: /Model/ })).toHaveTextContent('gpt-4o'));
  });

  it('offers the models of the chosen group that chat, and those the price list does not know', async () => {
    playgroundApi(['gemini-2.5-flash', 'gpt-4o-mini', 'text-embedding-3-small', 'unlisted']).answer({
      'GET /api/pricing': {
        data: [
          {
            model_name: 'gpt-4o-mini',
            enable_groups: ['default', 'vip'],
            supported_endpoint_types: ['openai'],
          },
          {
            model_name: 'gemini-2.5-flash',
            enable_groups: ['default'],
            supported_endpoint_types: ['openai'],
          },
          {
            model_name: 'text-embedding-3-small',
            enable_groups: ['default'],
            supported_endpoint_types: ['embeddings'],
          },
        ],
      },
    });
    const { user } = renderConsole('/playground', api);
    const offered = async (): Promise<(string | null)[]> => {
      await user.click(screen.getByRole('combobox', { name: /Model/ }));
      const names = screen.getAllByRole('option').map(({ textContent }) => textContent);
      await user.keyboard('{Escape}');
      return names;
    };
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: /Model/ })).toHaveTextContent('gpt-4o-mini'),
    );
    await waitFor(() => expect(api.made('GET /api/pricing')).toHaveLength(1));
    expect(await offered()).toEqual(['gemini-2.5-flash', 'gpt-4o-mini', 'unlisted']);
    await user.click(screen.getByRole('combobox', { name: /Group/ }));
    await user.click(screen.getByRole('option', { name: /vip/ }));
    expect(await offered()).toEqual(['gpt-4o-mini', 'unlisted']);
  });

  it('lets the temperature go back to 0', async () => {
    playgroundApi();
    const { user } = renderConsole('/playground', api);
    const slider = await screen.findByRole('slider', { name: /Temperature/ });
    expect(slider).toHaveValue('0');
    slider.focus();
    await user.keyboard('{ArrowRight}');
    expect(slider).toHaveValue('0.1');
    await user.keyboard('{ArrowLeft}');
    expect(slider).toHaveValue('0');
  });

  it('cannot ask while no model is available', async () => {
    playgroundApi([]);
    const { user } = renderConsole('/playground', api);
    await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'x{Enter}');
    expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled();
    expect(screen.getByText('No models available to you')).toBeVisible();
    expect(api.made(PATH)).toEqual([]);
  });
});
