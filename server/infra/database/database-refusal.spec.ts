import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { DatabaseBusyError } from './connection-acquire-limit.js';
import { databaseRefusal } from './open-named-database.js';

const withCode = (code: string): Error => Object.assign(new Error(`failed: ${code}`), { code });

describe('what the console API answers for the database', () => {
  it.each([
    ['no free connection', new DatabaseBusyError('too long')],
    ['refused', withCode('ECONNREFUSED')],
    ['refused on every address of a host', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })],
    ['lost in a query', new QueryFailedError('SELECT 1', [], withCode('PROTOCOL_CONNECTION_LOST'))],
    ['shutting down', new QueryFailedError('SELECT 1', [], withCode('57P01'))],
    ['not found', withCode('ENOTFOUND')],
    ['full', withCode('53300')],
    ['not connected in time', new Error('timeout exceeded when trying to connect')],
  ])('%s: come again', (_, error) => {
    expect(databaseRefusal(error)).toMatchObject({ code: 'database_unavailable', retryAfterMs: 2_000 });
  });

  it.each(['ER_STATEMENT_TIMEOUT', 'ER_QUERY_TIMEOUT', '57014'])(
    '%s: asks for a smaller query [DB-03]',
    (code) => {
      expect(databaseRefusal(new QueryFailedError('SELECT 1', [], withCode(code)))).toMatchObject({
        code: 'database_too_slow',
      });
      const numbered = Object.assign(new Error('max_statement_time exceeded'), { errno: 1_969 });
      expect(databaseRefusal(numbered)).toMatchObject({ code: 'database_too_slow' });
    },
  );

  it.each([
    new QueryFailedError('SELECT x', [], withCode('ER_BAD_FIELD_ERROR')),
    new Error('a bug'),
    undefined,
  ])('leaves %s to be a bug', (error) => {
    expect(databaseRefusal(error)).toBeUndefined();
  });
});
