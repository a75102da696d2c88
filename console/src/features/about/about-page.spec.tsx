import { afterEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const withText = (about: string, notice = '') =>
  (api = new FakeApi({
    'GET /api/status': { data: aStatus({ system_name: 'Gate' }) },
    'GET /api/about': { data: about },
    'GET /api/notice': { data: notice },
  }));

describe('the about page', () => {
  it('shows the name of the system while the operator has written nothing', async () => {
    renderConsole('/about', withText(' '), null);
    expect(await screen.findByRole('heading', { name: 'Gate' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'About' })).toHaveAttribute('href', '/about');
  });

  it('shows what the operator wrote, and nothing of it acts', async () => {
    renderConsole(
      '/about',
      withText('<h2>Hello</h2><script>window.bad = 1</script><img src=x onerror=alert(1)>'),
      null,
    );
    expect(await screen.findByRole('heading', { name: 'Hello' })).toBeVisible();
    expect(document.querySelector('main script, main [onerror]')).toBeNull();
  });

  it('reads Markdown, and indented HTML as HTML', async () => {
    renderConsole(
      '/about',
      withText('# Rules\n\n- one\n- **two** [link](javascript:alert(1))\n\n<b onclick="x()">bold</b>'),
      null,
    );
    expect(await screen.findByRole('heading', { name: 'Rules' })).toBeVisible();
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['one', 'two link']);
    expect(document.querySelector('main [href^="javascript"], main [onclick]')).toBeNull();
    api.stop();
    renderConsole('/about', withText('<div>\n\n    <h2>Deep</h2>\n</div>'), null);
    expect(await screen.findByRole('heading', { name: 'Deep' })).toBeVisible();
  });

  it('shows an address in a frame', async () => {
    renderConsole('/about', withText('https://about.example/page'), null);
    expect(await screen.findByTitle('About page content')).toHaveAttribute(
      'src',
      'https://about.example/page',
    );
  });

  it('reports when it cannot be loaded', async () => {
    withText('').answer({ 'GET /api/about': { refused: 'busy', status: 503 } });
    renderConsole('/about', api, null);
    expect(await screen.findByText('Could not load the page')).toBeVisible();
  });
});

describe('the notice', () => {
  it('stays until it is closed, and comes again when its text changes', async () => {
    const { user } = renderConsole('/about', withText('', 'Maintenance <b>tonight</b>'), null);
    expect(await screen.findByText('Maintenance tonight')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close the notice' }));
    expect(screen.queryByText('Maintenance tonight')).toBeNull();
    expect(localStorage.getItem('notice')).toBe('Maintenance <b>tonight</b>');
    api.stop();
    renderConsole('/about', withText('', 'All is well again'), null);
    expect(await screen.findByText('All is well again')).toBeVisible();
  });
});
