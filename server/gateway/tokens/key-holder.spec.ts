import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { fail, ok } from '../../common/result.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import { KeyHolder } from './key-holder.js';

function holder(answer: unknown = ok({ tokenId: 3 })) {
  const asked: string[] = [];
  const service = new KeyHolder({
    identify: async (credential: string, address: string) => {
      asked.push(`${credential} from ${address}`);
      return answer;
    },
  } as unknown as CallerDirectory);
  return { service, asked };
}

describe('KeyHolder', () => {
  it.each(['Bearer sk-key', 'bearer   sk-key ', 'sk-key'])('reads the key of %j', async (header) => {
    const { service, asked } = holder();
    expect(await service.identify(header, undefined, '192.0.2.1')).toMatchObject({ tokenId: 3 });
    expect(asked).toEqual(['sk-key from 192.0.2.1']);
  });

  it('refuses a key in the address, and ignores one beside a header', async () => {
    const { service, asked } = holder();
    expect(await codeOf(service.identify(undefined, 'sk-key', 'ip'))).toBe('token_in_address');
    expect(asked).toEqual([]);
    expect(await codeOf(service.identify('Bearer sk-key', 'sk-other', 'ip'))).toBe('done');
  });

  it.each([
    ['token_invalid', fail({ kind: 'unauthenticated', blame: 'caller', message: '' } as RelayError)],
    ['token_invalid', ok({ tokenId: null })],
    [
      'database_unavailable',
      fail({ kind: 'unavailable', blame: 'gateway', message: '', retryAfterMs: 1 } as RelayError),
    ],
  ])('answers %s for %j', async (code, answer) => {
    expect(await codeOf(holder(answer).service.identify('sk-key', undefined, 'ip'))).toBe(code);
  });
});
