import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import type { FailedCall } from '../../relay-core/ports/call-journal.js';
import { StoredCallJournal } from './stored-call-journal.js';
import type { NewLogLine } from './insert-lines.js';
import type { LogsRepository } from './logs.repository.js';

const failed = (callId: string): FailedCall =>
  ({
    callId,
    caller: { userId: 1, username: 'a', tokenName: 't', tokenId: 2, group: 'default' },
    shape: { operation: 'chat', model: 'm', stream: false },
    error: { kind: 'unavailable', blame: 'gateway', message: 'busy' },
    status: 503,
    startedAtMs: 1_000,
    durationMs: 1,
    attempts: [],
    path: '/v1/chat/completions',
  }) as unknown as FailedCall;

describe('the journal of failed calls', () => {
  it('writes what waited and leaves what fails meanwhile for the next time', async () => {
    const clock = new FakeClock();
    const written: (string | null)[] = [];
    let meanwhile = 0;
    const logs = {
      insertMany: async (lines: readonly NewLogLine[]) => {
        written.push(...lines.map(({ requestId }) => requestId));
        // A call fails for each line that is written: a gateway whose database cannot keep up.
        for (const _line of lines) journal.recordFailure(failed(`meanwhile-${(meanwhile += 1)}`));
      },
    } as unknown as LogsRepository;
    const journal = new StoredCallJournal(logs, clock, { errorLogEnabled: true } as never);
    for (let index = 0; index < 250; index += 1) journal.recordFailure(failed(`call-${index}`));
    await journal.flush();
    expect(written).toEqual(Array.from({ length: 250 }, (_, index) => `call-${index}`));
    clock.advance(500);
    await journal.flush();
    expect(written.length).toBeGreaterThanOrEqual(500);
    expect(new Set(written).size).toBe(written.length);
  });
});
