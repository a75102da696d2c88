import { describe, expect, it } from '@jest/globals';
import {
  type Announcement,
  announcements,
  apiAddresses,
  faqEntries,
  newestFirst,
  uptimePages,
} from './console-panels.js';

const NEWS = { content: 'Hello', publishDate: '2026-11-25T08:00:00Z' };
const PAGE = { categoryName: 'Main', url: 'https://status.example', slug: 'main' };
const ADDRESS = { url: 'https://api.example', route: 'Main' };

describe('announcements', () => {
  it('gives an announcement a kind and nothing further unless given', () => {
    expect(announcements.parse([NEWS])).toEqual([{ ...NEWS, type: 'default', extra: '' }]);
  });

  it.each([
    ['without words', { ...NEWS, content: '  ' }],
    ['that are too long', { ...NEWS, content: 'x'.repeat(2_001) }],
    ['without a moment', { ...NEWS, publishDate: 'soon' }],
    ['of an unknown kind', { ...NEWS, type: 'loud' }],
    ['without members', {}],
  ])('refuses announcements %s', (_name, entry) => {
    expect(announcements.safeParse([entry]).success).toBe(false);
  });

  it('takes at most a hundred', () => {
    expect(announcements.safeParse(Array.from({ length: 100 }, () => NEWS)).success).toBe(true);
    expect(announcements.safeParse(Array.from({ length: 101 }, () => NEWS)).success).toBe(false);
  });

  it('shows the twenty newest, newest first', () => {
    const all = Array.from({ length: 30 }, (_, day) => ({
      ...NEWS,
      publishDate: new Date(day * 86_400_000).toISOString(),
    })) as Announcement[];
    const shown = newestFirst(all);
    expect(shown).toHaveLength(20);
    expect(shown[0]?.publishDate).toBe('1970-01-30T00:00:00.000Z');
    expect(shown[19]?.publishDate).toBe('1970-01-11T00:00:00.000Z');
  });
});

describe('addresses shown to callers', () => {
  it.each(['javascript:alert(1)', 'ftp://a.example', 'https://me:pw@a.example', 'a.example'])(
    'refuses %s',
    (url) => {
      expect(apiAddresses.safeParse([{ ...ADDRESS, url }]).success).toBe(false);
      expect(uptimePages.safeParse([{ ...PAGE, url }]).success).toBe(false);
    },
  );

  it.each(['red; background: url(x)', 'RED', 'x'.repeat(21)])('refuses the colour %j', (color) => {
    expect(apiAddresses.safeParse([{ ...ADDRESS, color }]).success).toBe(false);
  });
});

describe('pages of an Uptime Kuma', () => {
  it('takes each page once, whatever slashes its address ends with', () => {
    expect(uptimePages.safeParse([PAGE, { ...PAGE, slug: 'other' }]).success).toBe(true);
    expect(uptimePages.safeParse([PAGE, { ...PAGE, url: `${PAGE.url}//` }]).success).toBe(false);
  });

  it.each(['', '../secret', 'a b', 'x'.repeat(101)])('refuses the slug %j', (slug) => {
    expect(uptimePages.safeParse([{ ...PAGE, slug }]).success).toBe(false);
  });
});

describe('questions and answers', () => {
  it('asks for both', () => {
    expect(faqEntries.safeParse([{ question: 'Why?', answer: 'Because.' }]).success).toBe(true);
    expect(faqEntries.safeParse([{ question: 'Why?', answer: ' ' }]).success).toBe(false);
  });
});
