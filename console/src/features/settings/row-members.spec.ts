import { describe, expect, it } from '@jest/globals';
import {
  emptyRow,
  faultIn,
  fromFieldMoment,
  isFaulty,
  readRows,
  ROW_MEMBERS,
  toFieldMoment,
} from './row-members';

const member = (rows: keyof typeof ROW_MEMBERS, name: string) => {
  const found = ROW_MEMBERS[rows].find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe('readRows', () => {
  it.each(['', ' ', '[]'])('finds no entry in %j', (text) => {
    expect(readRows(text)).toEqual([]);
  });

  it.each(['{', '{}', 'null', '[1]', '[null]', '["a"]', '[[]]', '[{}, []]'])(
    'refuses %s, which is no list of entries',
    (text) => {
      expect(readRows(text)).toBeUndefined();
    },
  );

  it('keeps members this console does not know', () => {
    expect(readRows('[{"later": [1]}]')).toEqual([{ later: [1] }]);
  });
});

describe('a member of an entry', () => {
  it.each([
    ['https://a.test', false],
    ['http://a.test:8080/path?x#y', false],
    ['HTTPS://a.test', false],
    ['https://user:pass@a.test', true],
    ['https://', true],
    ['https://a.test/a b', true],
    ['ftp://a.test', true],
    ['a.test', true],
  ])('takes %s for an address: faulty %p', (url, isWrong) => {
    expect(isFaulty(member('apiInfo', 'url'), { url })).toBe(isWrong);
  });

  it.each([
    ['2026-11-25T08:00:00Z', false],
    ['soon', true],
    ['', true],
    [null, true],
    [undefined, true],
  ])('takes %p for a moment: faulty %p', (publishDate, isWrong) => {
    expect(isFaulty(member('announcements', 'publishDate'), { publishDate })).toBe(isWrong);
  });

  it('counts characters up to the longest text, blanks around it aside', () => {
    const question = member('faq', 'question');
    expect(isFaulty(question, { question: ` ${'q'.repeat(200)} ` })).toBe(false);
    expect(isFaulty(question, { question: 'q'.repeat(201) })).toBe(true);
    expect(isFaulty(member('apiInfo', 'description'), {})).toBe(false);
  });

  it('returns the first fault, with its entry counted from 1', () => {
    const good = { question: 'q', answer: 'a' };
    expect(faultIn('faq', [good, { question: 'q', answer: ' ' }, {}])).toEqual({
      number: 2,
      member: member('faq', 'answer'),
    });
    expect(faultIn('faq', [good])).toBeUndefined();
    expect(faultIn('faq', [])).toBeUndefined();
  });

  it('begins empty, with the first choice and the present moment', () => {
    expect(emptyRow('announcements', 0)).toEqual({
      content: '',
      publishDate: '1970-01-01T00:00:00.000Z',
      type: 'default',
      extra: '',
    });
  });
});

describe('a moment in a field', () => {
  it('shows the same moment in the list and in its field', () => {
    const seconds = toFieldMoment('2026-11-25T08:00:00Z');
    expect(seconds).toBe(1_795_593_600);
    expect(fromFieldMoment(seconds)).toBe('2026-11-25T08:00:00.000Z');
  });

  it('keeps empty apart from a text that is no moment, which the form refuses', () => {
    expect([toFieldMoment(''), toFieldMoment('soon')]).toEqual([undefined, Number.NaN]);
    expect(fromFieldMoment(undefined)).toBe('');
    const date = member('announcements', 'publishDate');
    expect(isFaulty(date, { publishDate: fromFieldMoment(Number.NaN) })).toBe(true);
  });
});
