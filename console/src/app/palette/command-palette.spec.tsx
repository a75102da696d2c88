import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { ROLE } from '../../api/current-user';
import { currentLanguage } from '../../i18n';
import { aStatus, aToken } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { OPTION_FIELD_ROWS } from '../../testing/option-fields';
import { renderConsole } from '../../testing/render';
import { storedSingleKeys } from './shortcuts';

let api: FakeApi;
afterEach(() => api.stop());

const REQUEST_ID = '0197a3b2-1111-7222-8333-944455556666';
const KEY = `sk-${'a1'.repeat(24)}`;
const NOTHING = { accounts: [], channels: [], models: [], tokens: [] };

/** An installation of one channel, one account, one token of another owner and one failed call. */
function open(role: number, more: ConstructorParameters<typeof FakeApi>[0] = {}) {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/option/fields': { data: OPTION_FIELD_ROWS },
    'GET /api/token': bareList([]),
    'GET /api/token/search': bareList([]),
    'GET /api/user/models': { data: ['gpt-4o'] },
    'GET /api/user/self/groups': { data: { default: { desc: 'Default', ratio: 1 } } },
    'GET /api/channel/search': bareList([]),
    'GET /api/user/search': { data: { items: [], total: 0 } },
    'GET /api/log/suggestions': { data: NOTHING },
    'GET /api/log/self/suggestions': { data: NOTHING },
    'GET /api/log/failures': { data: [] },
    ...more,
  });
  return renderConsole('/token', api, { role });
}

async function ask(user: ReturnType<typeof open>['user'], text: string) {
  await user.click(await screen.findByRole('button', { name: /command palette/ }));
  await screen.findByRole('combobox', { name: /Search pages/ });
  await user.keyboard(text);
}
const option = (name: RegExp | string) => screen.findByRole('option', { name });

describe('the command palette', () => {
  it('searches the server once when typing pauses, not for every letter', async () => {
    const { user } = open(ROLE.user, {
      'GET /api/token/search': bareList([aToken({ name: 'laptop of the office' })]),
    });
    await ask(user, 'laptop');
    expect(await screen.findByText('laptop of the office')).toBeVisible();
    expect(api.made('GET /api/token/search').map((call) => call.query.get('keyword'))).toEqual(['laptop']);
  });

  it('opens by its key on every page of a signed-in account', async () => {
    const { user } = open(ROLE.user);
    await screen.findByRole('button', { name: /command palette/ });
    await user.keyboard('{Control>}k{/Control}');
    expect(await screen.findByRole('combobox', { name: /Search pages/ })).toBeVisible();
  });

  it.each([
    ['dark', /^Theme: Dark/],
    ['log out', /^Log out/],
    ['Chinese', /^Language: 中文/],
    ['渠道', /^Channels/],
    ['test all', /^Test all channels/],
  ])('finds %s', async (text, name) => {
    const { user } = open(ROLE.administrator);
    await ask(user, text);
    expect(await option(name)).toBeVisible();
  });

  it.each([
    ['SMTP', /SMTP/],
    ['ModelRatio', /ModelRatio/],
    ['retr', /RetryTimes/],
  ])('finds the setting %s by label or key, for administrators', async (text, name) => {
    const { user } = open(ROLE.root);
    await ask(user, text);
    expect((await screen.findAllByRole('option', { name })).length).toBeGreaterThan(0);
  });

  it('opens the call of a request id', async () => {
    const { user, router } = open(ROLE.user, { 'GET /api/log/self': { data: { items: [], total: 0 } } });
    await ask(user, REQUEST_ID);
    await user.click(await option(new RegExp(REQUEST_ID)));
    await waitFor(() => expect(router.state.location.pathname).toBe('/log'));
    expect(router.state.location.search).toBe(`?request_id=${REQUEST_ID}&open=${REQUEST_ID}`);
  });

  it('finds failed calls by a part of their error, and tokens of other accounts', async () => {
    const line = {
      id: 7,
      request_id: REQUEST_ID,
      content: 'Incorrect API key provided',
      model_name: 'gpt-4o',
    };
    const { user } = open(ROLE.administrator, {
      'GET /api/log/failures': { data: [line] },
      'GET /api/log/suggestions': { data: { ...NOTHING, tokens: ['Corrections'] } },
    });
    await ask(user, 'corr');
    expect(await option(/^Incorrect API key provided/)).toBeVisible();
    expect(await option(/^Calls with the token Corrections/)).toBeVisible();
  });

  it('sends a pasted key in a body alone', async () => {
    const found = { id: 3, name: 'laptop', username: 'alice', key_mask: 'sk-a1a1…' };
    const { user } = open(ROLE.administrator, { 'POST /api/token/find': { data: found } });
    await user.click(await screen.findByRole('button', { name: /command palette/ }));
    await screen.findByRole('combobox', { name: /Search pages/ });
    await user.paste(KEY);
    expect(await option(/^laptop of alice/)).toBeVisible();
    expect(api.made('POST /api/token/find').map(({ body }) => body)).toEqual([{ key: KEY }]);
    for (const route of [
      'GET /api/channel/search',
      'GET /api/token/search',
      'GET /api/log/suggestions',
    ] as const)
      expect(api.made(route)).toEqual([]);
  });

  it('tests a channel and shows why it failed', async () => {
    const { user } = open(ROLE.administrator, {
      'GET /api/channel/search': bareList([{ id: 4, name: 'openai main' }]),
      'GET /api/channel/test/4': { refused: 'Incorrect API key' },
    });
    await ask(user, 'openai');
    await user.click(await option(/^Test channel openai main/));
    expect(await screen.findByText(/openai main did not answer: Incorrect API key/)).toBeVisible();
  });

  it.each(['disable openai', 'openai', '禁用openai'])('disables a channel found by "%s"', async (text) => {
    const { user } = open(ROLE.administrator, {
      'GET /api/channel/search': bareList([{ id: 4, name: 'openai main', status: 1 }]),
      'PUT /api/channel': { data: null },
    });
    await ask(user, text);
    await user.click(await option(/^Disable channel openai main/));
    expect(await screen.findByText('openai main is disabled')).toBeVisible();
    expect(api.made('PUT /api/channel').map(({ body }) => body)).toEqual([{ id: 4, status: 2 }]);
    expect(api.made('GET /api/channel/search').at(-1)?.query.get('keyword')).toBe('openai');
  });

  it('enables a token again', async () => {
    const { user } = open(ROLE.user, {
      'GET /api/token/search': bareList([aToken({ id: 5, name: 'laptop', status: 2 })]),
      'PUT /api/token': { data: null },
    });
    await ask(user, 'enable laptop');
    await user.click(await option(/^Enable token laptop/));
    expect(await screen.findByText('laptop is enabled')).toBeVisible();
    expect(api.made('PUT /api/token').map(({ body }) => body)).toEqual([{ id: 5, status: 1 }]);
  });

  it('does not look into a channel, account or setting for users', async () => {
    const { user } = open(ROLE.user);
    await ask(user, 'gpt-4o');
    expect(await option(/^gpt-4o: price/)).toBeVisible();
    for (const route of ['GET /api/channel/search', 'GET /api/user/search', 'GET /api/log/failures'] as const)
      expect(api.made(route)).toEqual([]);
    expect(screen.queryByRole('option', { name: /Setting/ })).toBeNull();
  });
});

describe('keys of every page', () => {
  it('opens pages by g and a letter, and lists the keys', async () => {
    const { user, router } = open(ROLE.user, { 'GET /api/log/self': { data: { items: [], total: 0 } } });
    await screen.findByRole('button', { name: /command palette/ });
    // The keys are loaded after the page.
    await waitFor(async () => {
      await user.keyboard('?');
      expect(screen.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.keyboard('gl');
    await waitFor(() => expect(router.state.location.pathname).toBe('/log'));
  });

  it('leaves keys alone while a field has the focus, or when they are switched off', async () => {
    const { user, router } = open(ROLE.user);
    await screen.findByRole('button', { name: /command palette/ });
    storedSingleKeys.write('off');
    await user.keyboard('gl');
    storedSingleKeys.write('on');
    const [search] = await screen.findAllByRole('searchbox');
    await user.click(search ?? document.body);
    await user.keyboard('gl?');
    expect(router.state.location.pathname).toBe('/token');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(currentLanguage()).toBe('en');
  });
});
