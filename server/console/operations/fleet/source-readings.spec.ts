import { describe, expect, it } from '@jest/globals';
import { SourceReadings } from './source-readings.js';

const failing = (message: string) => () => Promise.reject(new Error(message));

describe('SourceReadings', () => {
  it('returns the values, and names nothing', async () => {
    const readings = new SourceReadings();
    expect(await readings.read(['job-failed'], () => Promise.resolve([1]), [])).toEqual([1]);
    expect([...readings.unread]).toEqual([]);
    expect(() => readings.throwIfAllFailed()).not.toThrow();
  });

  it('puts something in the place of what cannot be read, and names the rules that miss it', async () => {
    const readings = new SourceReadings();
    expect(await readings.read(['job-failed', 'error-rate'], failing('away'), 'none')).toBe('none');
    await readings.read([], () => Promise.resolve(0), 0);
    expect([...readings.unread]).toEqual([
      ['job-failed', 'Error: away'],
      ['error-rate', 'Error: away'],
    ]);
    expect(() => readings.throwIfAllFailed()).not.toThrow();
  });

  it('fails with the first fault when nothing at all could be read', async () => {
    const readings = new SourceReadings();
    await readings.read([], failing('first'), 0);
    await readings.read([], failing('second'), 0);
    expect(() => readings.throwIfAllFailed()).toThrow('first');
  });

  it('does not fail without sources', () => {
    expect(() => new SourceReadings().throwIfAllFailed()).not.toThrow();
  });
});
