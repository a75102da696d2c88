import { describe, expect, it } from '@jest/globals';
import { namedRefusal } from './named-refusal.js';
import { refusal, type RefusalName, REFUSALS } from './refusals.js';

const CODES = Object.keys(REFUSALS) as RefusalName[];
const marksOf = (code: RefusalName): string[] =>
  [...REFUSALS[code].message.matchAll(/\{(\w+)\}/g)].map(([, mark = '']) => mark);

describe('namedRefusal', () => {
  it.each(CODES)('finds the code and the values of %s in what callers read', (code) => {
    const values = Object.fromEntries(marksOf(code).map((mark, index) => [mark, `${mark}-${index}.(x)`]));
    expect(namedRefusal(refusal(code, values))).toEqual({ code, values });
  });

  it('has no name for a vendor’s own words', () => {
    expect(
      namedRefusal({ kind: 'upstream-overloaded', blame: 'upstream', message: 'Overloaded.' }),
    ).toBeUndefined();
  });

  it('has no name for a vendor’s use of one of our messages', () => {
    const { message } = refusal('balance-too-small');
    expect(namedRefusal({ kind: 'upstream-request-rejected', blame: 'upstream', message })).toBeUndefined();
  });
});
