import { describe, expect, it } from '@jest/globals';
import { firstPage, shownModules } from './modules';

const sidebar = (document: object, maySet = false) => shownModules('', JSON.stringify(document), maySet);
const header = (document: object) => shownModules(JSON.stringify(document), '', false);

describe('a page', () => {
  it('disappears when it or its section is switched off', () => {
    const modules = sidebar({
      console: { token: false },
      admin: { enabled: false, user: true },
      chat: { enabled: 0 },
    });
    const paths = ['/token', '/token?edit=1', '/log', '/user', '/audit', '/playground', '/nowhere', '/'];
    expect(paths.filter((path) => !modules.page(path))).toEqual([
      '/token',
      '/token?edit=1',
      '/user',
      '/audit',
    ]);
  });

  it('stays where it is the own account or the way back in', () => {
    const modules = sidebar({ personal: { enabled: false }, admin: { enabled: false } });
    expect(
      ['/personal', '/user/edit', '/user/reset', '/user', '/topup'].map((path) => modules.page(path)),
    ).toEqual([true, true, true, false, false]);
  });

  it('stays where it has the settings, for who can switch them on again', () => {
    const off = { admin: { setting: false } };
    expect([sidebar(off, true).page('/setting'), sidebar(off).page('/setting')]).toEqual([true, false]);
  });

  it.each(['/constructor', '/__proto__', '/toString'])('takes %s for no member of objects', (path) => {
    expect(sidebar({}).page(path)).toBe(true);
  });
});

describe('a link of the top bar', () => {
  it('disappears by a plain switch or one inside', () => {
    const modules = header({ about: false, pricing: { enabled: false, requireAuth: true } });
    expect(['about', 'pricing', 'home'].map((id) => modules.link(id))).toEqual([false, false, true]);
    expect([modules.page('/about'), modules.page('/pricing'), modules.pricesNeedLogin]).toEqual([
      false,
      false,
      true,
    ]);
    expect(header({ pricing: { requireAuth: 'true' } }).pricesNeedLogin).toBe(false);
  });
});

describe('firstPage', () => {
  it('takes the one that is wanted, then the next that is offered, at last the own account', () => {
    expect(firstPage(sidebar({}), '/detail')).toBe('/detail');
    expect(firstPage(sidebar({ console: { detail: false, token: false } }), '/detail')).toBe('/log');
    const none = { console: { enabled: false }, chat: { enabled: false }, personal: { enabled: false } };
    expect(firstPage(sidebar(none), '/detail')).toBe('/personal');
  });
});
