import { describe, expect, it } from '@jest/globals';
import { type ConsolePages, filesFor, jsonBlock } from './console-page.js';

const page = (path: string, isSignedIn = true) => ({
  path,
  isSignedIn,
  files: [`assets/${path.replaceAll('/', '-')}.js`],
  texts: { en: [`assets/en-${path}.js`], zh: [`assets/zh-${path}.js`] },
});
const PAGES: ConsolePages = {
  shell: ['assets/shell.js'],
  pages: [
    page('login', false),
    page('user'),
    page('user/:id'),
    page('user/edit/:id'),
    page('user/tokens'),
    page('chat/:id?'),
  ],
};
const ADA = { id: 2, username: 'ada', display_name: 'Ada', role: 1, status: 1, group: 'default' };
const codeFor = (path: string, user: typeof ADA | null = ADA) => filesFor(PAGES, path, { user }).files;

describe('filesFor', () => {
  it('names the shell and the files of the page for a signed-in reader', () => {
    expect(codeFor('/user')).toEqual(['assets/shell.js', 'assets/user.js']);
    expect(filesFor(PAGES, '/user', { user: ADA }).texts).toEqual({
      en: ['assets/en-user.js'],
      zh: ['assets/zh-user.js'],
    });
  });

  it('prefers fixed segments to parameters, and takes optional ones', () => {
    expect(codeFor('/user/tokens')).toContain('assets/user-tokens.js');
    expect(codeFor('/user/7')).toContain('assets/user-:id.js');
    expect(codeFor('/user/edit/7/')).toContain('assets/user-edit-:id.js');
    expect(codeFor('/chat')).toEqual(codeFor('/chat/3'));
  });

  it('names the sign-in page for a guest at a page behind it, and for a session it could not read', () => {
    expect(codeFor('/user', null)).toEqual(['assets/login.js']);
    expect(filesFor(PAGES, '/user', {}).files).toEqual(['assets/login.js']);
  });

  it('names only the shell for an address without a page', () => {
    expect(codeFor('/nowhere')).toEqual(['assets/shell.js']);
    expect(codeFor('/nowhere', null)).toEqual([]);
  });
});

describe('jsonBlock', () => {
  it('cannot end its element or open a comment, and stays the same JSON', () => {
    const value = { notice: '</script><!--<b>' };
    expect(jsonBlock(value)).not.toContain('<');
    expect(JSON.parse(jsonBlock(value))).toEqual(value);
  });
});
