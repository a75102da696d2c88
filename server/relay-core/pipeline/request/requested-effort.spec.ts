import { describe, expect, it } from '@jest/globals';
import { scanObject } from '../../framing/json-splice.js';
import { requestedEffort } from '../stages/settle-call.js';

describe('the effort a request asks for', () => {
  it.each([
    [{ reasoning_effort: 'high' }, 'high'],
    [{ reasoning: { effort: 'minimal', summary: 'auto' } }, 'minimal'],
    [{ output_config: { effort: 'max' } }, 'max'],
    [{ model: 'o3-mini' }, undefined],
    [{ reasoning: null }, undefined],
    [{ reasoning_effort: 5 }, undefined],
    [{ reasoning_effort: 'anything <b>else</b>' }, undefined],
  ])('reads %j as %s', (body, effort) => {
    const document = scanObject(Buffer.from(JSON.stringify(body)));
    if (typeof document === 'string') throw new Error(document);
    expect(requestedEffort(document)).toBe(effort);
  });
});
