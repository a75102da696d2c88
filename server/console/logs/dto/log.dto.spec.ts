import { describe, expect, it } from '@jest/globals';
import { LOG_FILTERS, logExportQuerySchema, logListQuerySchema } from './log.dto.js';

/** Likely client mistakes. */
const MISTAKES = ['abc', '-1', '1.5', '1e9', '0x10', ' ', '\t', '9'.repeat(20)];

describe('filters of the usage log', () => {
  it.each(Object.keys(LOG_FILTERS))('refuses in a file what a list takes for no filter: %s', (name) => {
    const { lenient, exact } = LOG_FILTERS[name as keyof typeof LOG_FILTERS];
    const none = lenient.parse('');
    const ignored = MISTAKES.filter((text) => lenient.parse(text) === none);
    expect(ignored).toContain(' ');
    for (const text of ignored)
      expect({ text, isTaken: exact.safeParse(text).success }).toEqual({ text, isTaken: false });
    expect([exact.parse(undefined), exact.parse('')]).toEqual([none, none]);
  });

  it('reads what it can read in a file as in a list', () => {
    const query = {
      type: '2',
      kind: 'calls',
      token_name: ' client ',
      model_name: 'fx-*',
      start_timestamp: '0',
      end_timestamp: '1700000000',
      group: 'default',
      request_id: 'r-1',
      tag: 'batch',
      end_user: 'u-1',
      username: 'ann',
      user_id: '3',
      channel: '7',
      failed_attempt: '1',
    } satisfies Record<keyof typeof LOG_FILTERS, string>;
    const { time_zone: _zone, sums: _sums, ...file } = logExportQuerySchema.parse(query);
    expect(file).toMatchObject({
      type: 2,
      token_name: 'client',
      channel: 7,
      user_id: 3,
      failed_attempt: 1,
      start_timestamp: 0,
    });
    expect(logListQuerySchema.parse(query)).toMatchObject(file);
  });
});
