import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  boundedOutput,
  deliveredBound,
  isBelievable,
  type OutputFacts,
  UNKNOWN_MODEL_ANSWER_TOKENS,
} from './report-bound.js';

const facts = (changes: Partial<OutputFacts>): OutputFacts => ({
  reportedOutput: 0,
  reportedReasoning: 0,
  capSent: 20,
  choices: 1,
  ownCount: 1,
  largestAnswer: undefined,
  isReasoningBesideCap: false,
  ...changes,
});

describe('boundedOutput', () => {
  it.each<[string, Partial<OutputFacts>, number]>([
    ['1.25 × the cap + 1,000', { capSent: 4_000 }, 6_000],
    ['1.25 × the cap of all answers + 1,000', { capSent: 4_000, choices: 3 }, 16_000],
    ['4 × our own count + 1,000 when that is more', { capSent: 20, ownCount: 5_000 }, 21_000],
    ['4 × our own count + 1,000 when no cap was sent', { capSent: undefined, ownCount: 50 }, 1_200],
    [
      '2.5 × what the model can answer when the cap is larger',
      { capSent: 9_999_999, largestAnswer: 8_000 },
      21_000,
    ],
  ])('believes a report up to %s', (_bound, changes, bound) => {
    expect(boundedOutput(facts({ ...changes, reportedOutput: bound }))).toEqual({
      tokens: bound,
      isBounded: false,
    });
    expect(boundedOutput(facts({ ...changes, reportedOutput: bound + 1 })).isBounded).toBe(true);
  });

  it('charges the cap above the bound when less came', () => {
    expect(boundedOutput(facts({ reportedOutput: 1_900_000 }))).toEqual({ tokens: 20, isBounded: true });
    expect(boundedOutput(facts({ reportedOutput: 1_900_000, choices: 4 })).tokens).toBe(80);
  });

  it('charges delivered output above the bound when an upstream ignored the cap', () => {
    expect(boundedOutput(facts({ reportedOutput: 1_900_000, ownCount: 7_000 })).tokens).toBe(7_000);
  });

  it('counts reasoning against a cap that was sent', () => {
    const reasoned = { reportedOutput: 30_000, reportedReasoning: 29_990 };
    expect(boundedOutput(facts(reasoned))).toEqual({ tokens: 20, isBounded: true });
  });

  it.each([
    ['the vendor has a cap beside it', { isReasoningBesideCap: true }],
    ['no cap was sent', { capSent: undefined }],
  ])('believes reasoning up to the largest answer of the model when %s', (_when, changes) => {
    const largestAnswer = 40_000;
    const reasoned = (reasoning: number) =>
      boundedOutput(
        facts({ ...changes, largestAnswer, reportedOutput: reasoning + 10, reportedReasoning: reasoning }),
      ).isBounded;
    expect(reasoned(largestAnswer)).toBe(false);
    expect(reasoned(largestAnswer + 10_000)).toBe(true);
  });

  it('takes 131,072 tokens for the largest answer of an unknown model', () => {
    const hidden = (reportedOutput: number) =>
      boundedOutput(facts({ capSent: undefined, reportedOutput, reportedReasoning: reportedOutput }))
        .isBounded;
    expect(hidden(UNKNOWN_MODEL_ANSWER_TOKENS)).toBe(false);
    expect(hidden(2 * UNKNOWN_MODEL_ANSWER_TOKENS)).toBe(true);
  });

  const anyFacts = fc.record<OutputFacts>({
    reportedOutput: fc.nat(20_000_000),
    reportedReasoning: fc.nat(20_000_000),
    capSent: fc.option(fc.nat(3_000_000), { nil: undefined }),
    choices: fc.integer({ min: 1, max: 128 }),
    ownCount: fc.nat(1_000_000),
    largestAnswer: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
    isReasoningBesideCap: fc.boolean(),
  });

  it('never charges more than the report, nor less than the smaller of report and own count', () => {
    fc.assert(
      fc.property(anyFacts, (any) => {
        const { tokens } = boundedOutput(any);
        expect(tokens).toBeLessThanOrEqual(any.reportedOutput);
        expect(tokens).toBeGreaterThanOrEqual(Math.min(any.reportedOutput, any.ownCount));
      }),
    );
  });

  it('believes whatever it believes of a lower own count', () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(1_000_000), (any, more) => {
        if (isBelievable(any)) expect(isBelievable({ ...any, ownCount: any.ownCount + more })).toBe(true);
      }),
    );
  });
});

describe('deliveredBound', () => {
  const request = { choices: 1, largestAnswer: undefined, isReasoningBesideCap: false };

  it('allows twice the cap, since a token of a vendor may be two of ours', () => {
    expect(deliveredBound({ ...request, capSent: 20 })).toBe(1_040);
    expect(deliveredBound({ ...request, capSent: 4_000, choices: 2 })).toBe(17_000);
  });

  it('adds the largest answer when the cap of the vendor does not cover reasoning', () => {
    expect(
      deliveredBound({ ...request, capSent: 20, largestAnswer: 8_000, isReasoningBesideCap: true }),
    ).toBe(1_040 + 8_000);
  });

  it('allows the largest answer of the model when no cap was sent', () => {
    expect(deliveredBound({ ...request, capSent: undefined, largestAnswer: 8_000 })).toBe(17_000);
    expect(deliveredBound({ ...request, capSent: undefined })).toBe(164_840);
  });
});
