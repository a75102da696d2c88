import { describe, expect, it } from '@jest/globals';
import { isPlausible, type Traffic } from './plausible-usage.js';

const traffic = (more: Partial<Traffic> = {}): Traffic => ({
  requestBody: Buffer.from('{"messages":[]}'),
  route: { settings: {}, paramOverride: undefined },
  receivedBytes: 100,
  modelOutputCap: undefined,
  choices: 1,
  ...more,
});
const output = (total: number) => ({ input: { total: 5 }, output: { total } });
const input = (total: number) => ({ input: { total }, output: { total: 5 } });

describe('isPlausible', () => {
  it('UP-01 holds output against the cap of the model, per answer, or the bytes that came', () => {
    expect(isPlausible(output(8_000), traffic({ modelOutputCap: 8_000 }))).toBe(true);
    expect(isPlausible(output(8_001), traffic({ modelOutputCap: 8_000 }))).toBe(false);
    expect(isPlausible(output(16_000), traffic({ modelOutputCap: 8_000, choices: 2 }))).toBe(true);
    expect(isPlausible(output(8_001), traffic({ modelOutputCap: 8_000, receivedBytes: 9_000 }))).toBe(true);
    expect(isPlausible(output(2_000_001), traffic())).toBe(false);
  });

  it('UP-01 allows for tools, and for what a channel adds to the prompt', () => {
    expect(isPlausible(input(30_000), traffic())).toBe(false);
    const requestBody = Buffer.from(JSON.stringify({ messages: [], tools: [{}, {}, {}, {}] }));
    expect(isPlausible(input(30_000), traffic({ requestBody }))).toBe(true);
    const systemPrompt = 'word '.repeat(5_000);
    expect(
      isPlausible(
        input(30_000),
        traffic({ route: { settings: { systemPrompt }, paramOverride: undefined } }),
      ),
    ).toBe(true);
    const looping = { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] };
    expect(isPlausible(input(950_648), traffic({ requestBody: Buffer.from(JSON.stringify(looping)) }))).toBe(
      true,
    );
    const own = { tools: [{ name: 'f', type: 'custom', input_schema: { type: 'object' } }] };
    expect(isPlausible(input(950_648), traffic({ requestBody: Buffer.from(JSON.stringify(own)) }))).toBe(
      false,
    );
    const paramOverride = { tools: [{}, {}, {}, {}] };
    expect(isPlausible(input(30_000), traffic({ route: { settings: {}, paramOverride } }))).toBe(true);
  });
});
