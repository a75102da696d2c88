import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  bodyId,
  bodyIds,
  exactEnd,
  exactMoment,
  exactNumber,
  filterEnd,
  filterMoment,
  filterNumber,
  filterSeconds,
  filterText,
  flag,
  fromOne,
  fromZero,
  oneBasedPaging,
  pageSize,
  pathId,
  zeroBasedPaging,
} from './query.js';

describe('query parameters', () => {
  it.each([
    [undefined, 10],
    ['', 10],
    ['0', 10],
    ['-5', 10],
    ['abc', 10],
    ['1', 1],
    ['100', 100],
    ['101', 100],
    ['1e9', 100],
    ['1.5', 10],
    ['99999999999999999999', 10],
  ])('page size %s becomes %s [API-103]', (text, size) => {
    expect(pageSize().parse(text)).toBe(size);
  });

  it('counts undecodable numbers as 0 and pages from where the list starts', () => {
    expect(oneBasedPaging().p.parse('0')).toBe(1);
    expect(oneBasedPaging().p.parse('x')).toBe(1);
    expect(zeroBasedPaging().p.parse('-1')).toBe(0);
    expect(zeroBasedPaging().p.parse('3')).toBe(3);
    expect(filterNumber().parse('7')).toBe(7);
    expect(filterNumber().parse('NaN')).toBe(0);
    expect(filterNumber().parse('-7')).toBe(0);
  });

  it('bounds numbers of four-byte columns, and no moments', () => {
    expect(filterNumber().parse('2147483648')).toBe(2_147_483_647);
    expect(filterSeconds().parse('4102444800')).toBe(4_102_444_800);
    expect(filterSeconds().parse('-1')).toBe(0);
    expect(pathId().parse('2147483647')).toBe(2_147_483_647);
    expect(bodyId().parse(2_147_483_647)).toBe(2_147_483_647);
    expect(exactNumber().parse('2147483647')).toBe(2_147_483_647);
    for (const refused of [pathId().safeParse('2147483648'), bodyId().safeParse(2_147_483_648)])
      expect(refused.success).toBe(false);
    expect(exactNumber().safeParse('2147483648').success).toBe(false);
  });

  it.each([
    [{}, 0, 1],
    [{ p: '2' }, 2, 2],
    [{ page: '1' }, 0, 1],
    [{ page: '3' }, 2, 3],
    [{ page: '3', p: '9' }, 2, 3],
    [{ page: '0' }, 0, 1],
    [{ page: '', p: '4' }, 4, 4],
    [{ page: 'x', p: '4' }, 0, 1],
  ])('pages by %j: page from 1 on every list, p from where the list starts', (asked, zero, one) => {
    expect(fromZero(z.object(zeroBasedPaging()).parse(asked))).toBe(zero);
    expect(fromOne(z.object(oneBasedPaging()).parse(asked))).toBe(one);
  });

  it('takes 0 for a time like any other, and ignores values that are none', () => {
    expect(['0', '7', '-7'].map((text) => filterMoment().parse(text))).toEqual([0, 7, 0]);
    for (const text of [undefined, '', ' ', 'NaN', '1.5', 'x'])
      expect(filterMoment().parse(text)).toBeUndefined();
    expect(['0', '7', ''].map((text) => filterEnd().parse(text))).toEqual([undefined, 7, undefined]);
  });

  it('refuses unreadable values when nothing may be left out', () => {
    for (const schema of [exactNumber(), exactMoment(), exactEnd()])
      for (const text of ['abc', '-1', '1.5', '1e3', '0x1', '9'.repeat(16), 'NaN'])
        expect(schema.safeParse(text).success).toBe(false);
    expect([undefined, '', '0', ' 7 '].map((text) => exactNumber().parse(text))).toEqual([0, 0, 0, 7]);
    expect([undefined, '', '0', '7'].map((text) => exactMoment().parse(text))).toEqual([
      undefined,
      undefined,
      0,
      7,
    ]);
    expect([undefined, '', '0', '7'].map((text) => exactEnd().parse(text))).toEqual([
      undefined,
      undefined,
      undefined,
      7,
    ]);
  });

  it('reads flags and texts', () => {
    expect(['true', '1', 'false', '0', '', 'yes'].map((text) => flag().parse(text))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(filterText(5).parse(' e\u0301 ')).toBe('é');
    expect(filterText(5).safeParse('123456').success).toBe(false);
  });

  it.each(['undefined', 'NaN', '0', '-1', '1.0', '1e3', '', ' 1', '01', '0x1', '[1]', '99999999999999999'])(
    'refuses %s as an id',
    (text) => {
      expect(pathId().safeParse(text).success).toBe(false);
    },
  );

  it('takes only whole positive numbers as ids of a body, and at most 500 of them [CH-06]', () => {
    expect(pathId().parse('42')).toBe(42);
    for (const value of ['1', 1.5, 0, -1, null, [1], {}, 2 ** 53, Number.NaN]) {
      expect(bodyId().safeParse(value).success).toBe(false);
    }
    expect(bodyIds().safeParse([]).success).toBe(false);
    expect(bodyIds().safeParse(Array.from({ length: 501 }, (_, index) => index + 1)).success).toBe(false);
  });
});
