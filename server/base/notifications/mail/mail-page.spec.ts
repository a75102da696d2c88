import { describe, expect, it } from '@jest/globals';
import { escapeHtml, type MailPage, writeMailHtml, writeMailText } from './mail-page.js';

const HOSTILE = `<script>alert("x")</script>&'`;
const PAGE: MailPage = {
  subject: 'Your code',
  blocks: [
    { kind: 'paragraph', text: 'Type this.' },
    { kind: 'code', text: 'ABC234' },
    { kind: 'link', label: 'Sign in', url: 'https://gate.example/login?a=1&b=2' },
    { kind: 'fact', label: 'When', value: 'today' },
  ],
  footer: 'Not asked for? Ignore it.',
};

describe('writeMailHtml', () => {
  it('escapes every text, wherever it stands', () => {
    const html = writeMailHtml(
      {
        subject: HOSTILE,
        blocks: [
          { kind: 'paragraph', text: HOSTILE },
          { kind: 'code', text: HOSTILE },
          { kind: 'link', label: HOSTILE, url: HOSTILE },
          { kind: 'fact', label: HOSTILE, value: HOSTILE },
        ],
        footer: HOSTILE,
      },
      HOSTILE,
      'en',
    );
    expect(html).not.toMatch(/<script|alert\("/);
    // Title, name of the system, heading, footer; paragraph, code, two of the fact; a link names its address twice and shows it.
    expect(html.split(escapeHtml(HOSTILE))).toHaveLength(13);
  });

  it('shows the address of a link in full beside its button', () => {
    const html = writeMailHtml(PAGE, 'Gate', 'en');
    const url = 'https://gate.example/login?a=1&amp;b=2';
    expect(html).toContain(`>${url}</a>`);
    expect(html.split(`href="${url}"`)).toHaveLength(3);
  });

  it('fetches nothing from elsewhere', () => {
    expect(writeMailHtml(PAGE, 'Gate', 'en')).not.toMatch(/<(img|link|script|iframe)|url\(|src=/i);
  });

  it.each([
    ['en', 'en'],
    ['zh', 'zh-CN'],
  ] as const)('declares its language %s', (language, tag) => {
    expect(writeMailHtml(PAGE, 'Gate', language)).toContain(`<html lang="${tag}">`);
  });
});

describe('writeMailText', () => {
  it('has the same content in plain text, in the same order', () => {
    expect(writeMailText(PAGE, 'Gate')).toBe(
      [
        'Your code',
        'Type this.',
        '    ABC234',
        'Sign in:\nhttps://gate.example/login?a=1&b=2',
        'When: today',
        '-- \nNot asked for? Ignore it.\nGate\n',
      ].join('\n\n'),
    );
  });
});
