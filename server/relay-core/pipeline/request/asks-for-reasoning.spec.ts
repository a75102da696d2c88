import { describe, expect, it } from '@jest/globals';
import { scanObject, type ScannedObject } from '../../framing/json-splice.js';
import { asksForReasoning } from './asks-for-reasoning.js';

const scanned = (body: object): ScannedObject =>
  scanObject(Buffer.from(JSON.stringify(body))) as ScannedObject;

describe('asksForReasoning', () => {
  it.each([
    { reasoning_effort: 'low' },
    { reasoning: { effort: 'high' } },
    { reasoning: { summary: 'auto' } },
    { reasoning: { enabled: true } },
    { thinking: { type: 'enabled', budget_tokens: 1_024 } },
    { thinking: { type: 'adaptive' } },
  ])('finds the switch in %j', (body) => {
    expect(asksForReasoning(scanned({ model: 'm', ...body }))).toBe(true);
  });

  it.each([
    {},
    { reasoning_effort: 'none' },
    { reasoning_effort: null },
    { reasoning: {} },
    { reasoning: { effort: 'none' } },
    { thinking: { type: 'disabled' } },
  ])('finds no switch that is on in %j', (body) => {
    expect(asksForReasoning(scanned({ model: 'm', ...body }))).toBe(false);
  });
});
