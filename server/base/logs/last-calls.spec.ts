import { describe, expect, it } from '@jest/globals';
import { LastCalls } from './last-calls.js';
import type { LogEntity } from './log.entity.js';
import type { LogFilter, LogsRepository } from './logs.repository.js';

describe('LastCalls', () => {
  it('reads the newest charged line of the token and its owner', async () => {
    const asked: unknown[] = [];
    const lines: Partial<LogEntity>[] = [{ createdAt: 12, modelName: 'gpt-4o', requestId: null }];
    const calls = new LastCalls({
      list: async (filter: LogFilter, offset: number, limit: number) => {
        asked.push([filter.userId, filter.tokenId, filter.type, offset, limit]);
        return lines.splice(0);
      },
    } as unknown as LogsRepository);
    expect(await calls.ofToken({ userId: 7, tokenId: 3 })).toEqual({
      at: 12,
      model: 'gpt-4o',
      requestId: '',
    });
    expect(await calls.ofToken({ userId: 7, tokenId: 3 })).toBe(null);
    expect(asked[0]).toEqual([7, 3, 2, 0, 1]);
  });
});
