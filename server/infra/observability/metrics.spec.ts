import { describe, expect, it } from '@jest/globals';
import { Metrics } from './metrics.js';
import { MetricsRegistry } from './metrics-registry.js';

describe('Metrics', () => {
  it('reads metrics of modules and of the process out of one registry, those registered later too', async () => {
    const own = new MetricsRegistry();
    const metrics = new Metrics(own);
    await metrics.open();
    own.counter('tollgate_calls_total', 'Calls.', ['model']).add(3, 'm');
    own.histogram('tollgate_call_seconds', 'Time.', [1]).observe(2);
    const readings = new Map((await metrics.read()).map((reading) => [reading.name, reading]));
    expect(readings.get('tollgate_calls_total')).toEqual({
      name: 'tollgate_calls_total',
      help: 'Calls.',
      type: 'counter',
      aggregator: 'sum',
      values: [{ metricName: 'tollgate_calls_total', labels: { model: 'm' }, value: 3 }],
    });
    expect(readings.get('tollgate_call_seconds')?.values.map(({ metricName }) => metricName)).toEqual([
      'tollgate_call_seconds_bucket',
      'tollgate_call_seconds_bucket',
      'tollgate_call_seconds_sum',
      'tollgate_call_seconds_count',
    ]);
    expect(readings.get('tollgate_process_resident_memory_bytes')?.values[0]?.value).toBeGreaterThan(0);
    expect((await metrics.describe()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['tollgate_calls_total', 'tollgate_process_cpu_seconds_total']),
    );
  });

  it('leaves out metrics that cannot be read or have no value', async () => {
    const own = new MetricsRegistry();
    own.gauge('tollgate_broken', 'Fails.', () => {
      throw new Error('no');
    });
    own.gauge('tollgate_silent', 'Nothing to say.', () => undefined);
    own.gauge('tollgate_pool', 'A pool.', () => 3);
    const names = (await new Metrics(own).read()).map(({ name }) => name);
    expect(names.filter((name) => /broken|silent|pool/.test(name))).toEqual(['tollgate_pool']);
  });
});
