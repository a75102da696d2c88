import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus, aToken } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import { leave } from '../../shared/browser/leave';

let api: FakeApi;
afterEach(() => {
  api.stop();
  jest.restoreAllMocks();
});

const CHATS: Record<string, string>[] = [
  { Web: 'https://chat.example/#/?k={key}&u={address}' },
  { Desktop: 'ama://set?server={address}&key={key}' },
];
const KEY = `sk-${aToken().key}`;

function chatApi(chats: Record<string, string>[] = CHATS, tokens = [aToken()]): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus({ chats }) },
    'GET /api/token': bareList(tokens),
    'GET /api/user/models': { data: [] },
    'GET /api/user/self/groups': { data: {} },
  });
  return api;
}

describe('chat pages', () => {
  it('shows a web page in a frame, filled in for who is signed in', async () => {
    renderConsole('/chat/0', chatApi());
    const frame = await screen.findByTitle('Web');
    expect(frame).toHaveAttribute('src', `https://chat.example/#/?k=${KEY}&u=https%3A%2F%2Fgate.example`);
    expect(frame).toHaveAttribute('referrerpolicy', 'no-referrer');
    expect(screen.queryByRole('navigation', { name: 'Navigation' })).toBeNull();
  });

  it('offers an app on this device as a link', async () => {
    renderConsole('/chat/1', chatApi());
    expect(await screen.findByRole('link', { name: 'Open Desktop' })).toHaveAttribute(
      'href',
      `ama://set?server=https%3A%2F%2Fgate.example&key=${KEY}`,
    );
    expect(document.querySelector('iframe')).toBeNull();
  });

  it('leads from /chat2link to the first chat that is a web page', async () => {
    const left = jest.spyOn(leave, 'replacing').mockImplementation(() => undefined);
    renderConsole('/chat2link', chatApi([CHATS[1] ?? {}, CHATS[0] ?? {}]));
    const address = `https://chat.example/#/?k=${KEY}&u=https%3A%2F%2Fgate.example`;
    await waitFor(() => expect(left).toHaveBeenCalledWith(address));
  });

  it('asks for a hundred tokens to find one that works', async () => {
    const off = Array.from({ length: 20 }, (_each, index) => aToken({ id: index + 2, status: 2 }));
    renderConsole('/chat/0', chatApi(CHATS, [...off, aToken()]));
    expect(await screen.findByTitle('Web')).toHaveAttribute('src', expect.stringContaining(KEY));
    expect(api.made('GET /api/token').map(({ query }) => query.get('size'))).toEqual(['100']);
  });

  it('leads to the tokens of who has none that works', async () => {
    const waits = jest.spyOn(globalThis, 'setTimeout');
    const { router } = renderConsole('/chat/0', chatApi(CHATS, [aToken({ status: 2 })]));
    expect(await screen.findByText('Taking you to your tokens…')).toBeVisible();
    expect(document.querySelector('iframe')).toBeNull();
    await waitFor(() => expect(router.state.location.pathname).toBe('/token'), { timeout: 4_000 });
    expect(waits.mock.calls.map(([, pause]) => pause)).toContain(1_500);
  });

  it.each([
    ['/chat/0', [], 'Please ask the administrator to configure chat links'],
    ['/chat/7', CHATS, 'This chat does not exist'],
    ['/chat/x', CHATS, 'This chat does not exist'],
    ['/chat/0', [{ a: 'x', b: 'y' }], 'The chat links are misconfigured, please contact the administrator'],
    ['/chat2link', [], 'Please ask the administrator to configure chat links'],
  ])('says what is wrong with %s', async (path, chats, text) => {
    renderConsole(path, chatApi(chats));
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('stands in the sidebar and in the menu of a token, and is kept for other tools', async () => {
    const { user } = renderConsole('/token', chatApi());
    const sidebar = await screen.findByRole('navigation', { name: 'Navigation' });
    expect(await within(sidebar).findByRole('link', { name: 'Web' })).toHaveAttribute('href', '/chat/0');
    await user.click(await screen.findByRole('button', { name: /^Actions for laptop/ }));
    expect(await screen.findByRole('menuitem', { name: 'Chat in Web' })).toHaveAttribute(
      'href',
      `https://chat.example/#/?k=${KEY}&u=https%3A%2F%2Fgate.example`,
    );
    expect(screen.getByRole('menuitem', { name: 'Chat in Desktop' })).not.toHaveAttribute('target');
    expect(JSON.parse(localStorage.getItem('chats') ?? '')).toEqual(CHATS);
  });

  it('offers neither itself for a token that is off, nor a first call with it', async () => {
    const { user } = renderConsole('/token', chatApi(CHATS, [aToken({ status: 3 })]));
    await user.click(await screen.findByRole('button', { name: /^Actions for laptop/ }));
    expect(screen.getByRole('menuitem', { name: 'Edit' })).toBeVisible();
    expect(screen.queryByRole('menuitem', { name: /^Chat/ })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Use it' })).toBeNull();
  });

  it('shows in the menu when nothing is configured', async () => {
    const { user } = renderConsole('/token', chatApi([]));
    await user.click(await screen.findByRole('button', { name: /^Actions for laptop/ }));
    await user.click(screen.getByRole('menuitem', { name: 'Chat' }));
    expect(await screen.findByText('Please ask the administrator to configure chat links')).toBeVisible();
  });
});
