import { describe, expect, it } from '@jest/globals';
import { readUsage, UsageReport, writeFinalUsage, writeUsage } from './usage.js';

describe('a usage report', () => {
  it('counts cached tokens as part of the input, hourly writes as part of the writes', () => {
    expect(
      readUsage({
        input_tokens: 100,
        cache_read_input_tokens: 1_000,
        cache_creation_input_tokens: 300,
        cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 150 },
        output_tokens: 20,
        output_tokens_details: { thinking_tokens: 5 },
        server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
      }),
    ).toEqual({
      // 100 + 1,000 + 300; the 50 the split does not cover are of the short kind.
      input: { total: 1_400, cacheRead: 1_000, cacheWrite: 300, cacheWrite1h: 150 },
      output: { total: 20, reasoning: 5 },
      tools: { 'web-search': 2 },
    });
  });

  it.each([
    ['a negative figure', { input_tokens: -1, output_tokens: 1 }],
    ['a fraction', { input_tokens: 1.5, output_tokens: 1 }],
    ['text', { input_tokens: '5', output_tokens: 1 }],
    ['an absurd figure', { input_tokens: 1_000_000_000, output_tokens: 1 }],
    ['no object', 'many'],
  ])('cannot be true with %s', (_name, report) => {
    expect(readUsage(report)).toBe('invalid');
  });

  it('cuts thinking above the output to it [UP-01]', () => {
    const report = { input_tokens: 1, output_tokens: 1, output_tokens_details: { thinking_tokens: 2 } };
    expect(readUsage(report)).toEqual({
      input: { total: 1 },
      output: { total: 1, reasoning: 1 },
      reading: 'parts-cut',
    });
  });

  it('takes an empty one for none', () => {
    expect(readUsage(null)).toBeUndefined();
    expect(readUsage({ service_tier: 'standard' })).toBeUndefined();
  });

  it('sums the model’s own iterations; advisors count only in what is charged', () => {
    const report = {
      input_tokens: 50,
      output_tokens: 10,
      iterations: [
        { type: 'compaction', input_tokens: 1_000, output_tokens: 100 },
        { type: 'message', input_tokens: 50, output_tokens: 10 },
        { type: 'advisor_message', model: 'm', input_tokens: 7, output_tokens: 3 },
      ],
    };
    expect(readUsage(report)).toEqual({ input: { total: 1_050 }, output: { total: 110 } });
    expect(readUsage(report, { countsAdvisors: true })).toEqual({
      input: { total: 1_057 },
      output: { total: 113 },
    });
    const served = [...report.iterations, { type: 'fallback_message', input_tokens: 50, output_tokens: 10 }];
    expect(readUsage({ ...report, iterations: served })).toEqual({
      input: { total: 50 },
      output: { total: 10 },
    });
  });
});

describe('the reports of a stream', () => {
  const merged = (...reports: readonly unknown[]): unknown => {
    const report = new UsageReport();
    let last: unknown;
    for (const one of reports) last = report.merge(one);
    return last;
  };
  const first = {
    input_tokens: 10,
    cache_creation_input_tokens: 40,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 40 },
    output_tokens: 1,
  };

  it('replaces the earlier one member by member', () => {
    expect(merged(first, { output_tokens: 9 })).toEqual({
      input: { total: 50, cacheWrite: 40, cacheWrite1h: 40 },
      output: { total: 9 },
    });
    expect(merged(first, { input_tokens: 61, output_tokens: 2 })).toMatchObject({ input: { total: 101 } });
    // The same cumulative figures again change nothing: they are not added.
    expect(merged(first, { ...first, output_tokens: 9 }, { ...first, output_tokens: 9 })).toMatchObject({
      input: { total: 50 },
      output: { total: 9 },
    });
  });

  it('keeps the split while it fits, and forgets it when it does not', () => {
    expect(merged(first, { cache_creation_input_tokens: 60, output_tokens: 2 })).toMatchObject({
      input: { cacheWrite: 60, cacheWrite1h: 40 },
    });
    const smaller = merged(first, { cache_creation_input_tokens: 30, output_tokens: 2 });
    expect(smaller).toEqual({ input: { total: 40, cacheWrite: 30 }, output: { total: 2 } });
  });

  it('keeps the input when zeros are filled in at the end; takes it when it comes only there', () => {
    const zeros = {
      input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      output_tokens: 4,
    };
    expect(merged(first, zeros)).toEqual({
      input: { total: 50, cacheWrite: 40, cacheWrite1h: 40 },
      output: { total: 4 },
    });
    expect(merged({ ...zeros, output_tokens: 0 }, { input_tokens: 7, output_tokens: 4 })).toEqual({
      input: { total: 7 },
      output: { total: 4 },
    });
  });
});

describe('neutral figures in the words of this format', () => {
  it('takes the cached tokens out of the input again', () => {
    expect(
      writeUsage({
        input: { total: 100, cacheRead: 60, cacheWrite: 30, cacheWrite1h: 10 },
        output: { total: 5 },
        tools: { 'web-search': 1, 'file-search': 9 },
      }),
    ).toEqual({
      input_tokens: 10,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
      output_tokens: 5,
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
    });
  });

  it('splits cache writes at the end of a stream only where some live for an hour', () => {
    const figures = (cacheWrite1h: number) => ({
      input: { total: 100, cacheWrite: 30, cacheWrite1h },
      output: { total: 5 },
    });
    expect(writeFinalUsage(figures(0))).toEqual({
      input_tokens: 70,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 30,
      output_tokens: 5,
    });
    expect(writeFinalUsage(figures(10))).toMatchObject({
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
    });
  });

  it('never writes negative ones', () => {
    expect(writeUsage({ input: { total: 5, cacheRead: 9 }, output: { total: undefined } })).toMatchObject({
      input_tokens: 0,
      output_tokens: 0,
    });
  });
});
