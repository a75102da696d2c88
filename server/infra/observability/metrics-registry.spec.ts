import { describe, expect, it } from '@jest/globals';
import { MetricsRegistry } from './metrics-registry.js';

const samplesOf = async (figures: MetricsRegistry, name: string): Promise<unknown> => figures.samples(name);

describe('figures', () => {
  it('adds up by label set, in the order of the label names', async () => {
    const figures = new MetricsRegistry();
    const calls = figures.counter('tollgate_calls_total', 'Calls.', ['route', 'outcome']);
    calls.add(1, '/v1/a', 'ok');
    calls.add(2, '/v1/a', 'ok');
    calls.add(1, '/v1/a', 'failed');
    expect(await samplesOf(figures, 'tollgate_calls_total')).toEqual([
      { name: 'tollgate_calls_total', labels: { route: '/v1/a', outcome: 'ok' }, value: 3 },
      { name: 'tollgate_calls_total', labels: { route: '/v1/a', outcome: 'failed' }, value: 1 },
    ]);
  });

  it('shows a counter without labels before anything happened', async () => {
    const figures = new MetricsRegistry();
    figures.counter('tollgate_faults_total', 'Faults.');
    expect(await samplesOf(figures, 'tollgate_faults_total')).toEqual([
      { name: 'tollgate_faults_total', labels: {}, value: 0 },
    ]);
  });

  it('counts the 201st value of a label among the others, and keeps the first 200 apart', async () => {
    const figures = new MetricsRegistry();
    const calls = figures.counter('tollgate_calls_total', 'Calls.', ['model']);
    for (let index = 0; index < 5_000; index += 1) calls.add(1, `model-${index}`);
    calls.add(1, 'model-0');
    const samples = await figures.samples('tollgate_calls_total');
    expect(samples).toHaveLength(201);
    expect(samples[0]).toMatchObject({ labels: { model: 'model-0' }, value: 2 });
    expect(samples.at(-1)).toMatchObject({ labels: { model: 'other' }, value: 4_800 });
  });

  it('counts label sets beyond the 2,000th together', async () => {
    const figures = new MetricsRegistry();
    const calls = figures.counter('tollgate_calls_total', 'Calls.', ['model', 'channel']);
    for (let model = 0; model < 100; model += 1) {
      for (let channel = 0; channel < 100; channel += 1) calls.add(1, `m${model}`, `c${channel}`);
    }
    const samples = await figures.samples('tollgate_calls_total');
    expect(samples).toHaveLength(2_001);
    expect(samples.at(-1)).toMatchObject({ labels: { model: 'other', channel: 'other' }, value: 8_000 });
  });

  it('spreads values over buckets, cumulative', async () => {
    const figures = new MetricsRegistry();
    const seconds = figures.histogram('tollgate_call_seconds', 'Time.', [0.1, 1], ['route']);
    for (const value of [0.05, 0.1, 0.5, 7]) seconds.observe(value, 'a');
    expect(await figures.samples('tollgate_call_seconds')).toEqual([
      { name: 'tollgate_call_seconds_bucket', labels: { route: 'a', le: '0.1' }, value: 2 },
      { name: 'tollgate_call_seconds_bucket', labels: { route: 'a', le: '1' }, value: 3 },
      { name: 'tollgate_call_seconds_bucket', labels: { route: 'a', le: '+Inf' }, value: 4 },
      { name: 'tollgate_call_seconds_sum', labels: { route: 'a' }, value: 7.65 },
      { name: 'tollgate_call_seconds_count', labels: { route: 'a' }, value: 4 },
    ]);
  });

  it('leaves out what cannot be read, and reads the rest', async () => {
    const figures = new MetricsRegistry();
    figures.gauge('tollgate_broken', 'Fails.', () => {
      throw new Error('no');
    });
    figures.gauge('tollgate_late', 'Fails later.', () => Promise.reject(new Error('no')));
    figures.gauge('tollgate_silent', 'Nothing to say.', () => undefined);
    figures.gauge('tollgate_pool', 'A pool.', () => [{ labels: { pool: 'money' }, value: 3 }], ['pool']);
    figures.sum('tollgate_seen_total', 'Seen.', async () => 4);
    const described = figures.describe();
    const read = await Promise.all(described.map(({ name }) => figures.samples(name)));
    expect(read.flat().map(({ name, value }) => [name, value])).toEqual([
      ['tollgate_pool', 3],
      ['tollgate_seen_total', 4],
    ]);
    expect(described).toHaveLength(5);
  });

  it.each([
    ['a name of somebody else', 'calls_total'],
    ['a counter without _total', 'tollgate_calls'],
    ['capitals', 'tollgate_Calls_total'],
  ])('refuses %s', (_what, name) => {
    expect(() => new MetricsRegistry().counter(name, 'Calls.')).toThrow(name);
  });

  it('refuses a name twice', () => {
    const figures = new MetricsRegistry();
    figures.gauge('tollgate_pool', 'A pool.', () => 1);
    expect(() => figures.gauge('tollgate_pool', 'A pool.', () => 1)).toThrow('registered already');
  });
});
