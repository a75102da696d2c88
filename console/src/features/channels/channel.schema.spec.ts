import { describe, expect, it } from '@jest/globals';
import type { TFunction } from 'i18next';
import { channelSchema, NEW_CHANNEL } from './channel.schema';

const t = ((key: string) => key) as TFunction;

/** Fields that the form finds fault with. */
function faultsOf(remark: string): readonly unknown[] {
  const parsed = channelSchema(t, false, []).safeParse({
    ...NEW_CHANNEL,
    type: '1',
    name: 'one',
    models: ['m'],
    remark,
  });
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path[0]);
}

describe('channelSchema', () => {
  it('counts the remark by characters, as the server does', () => {
    expect(faultsOf('𝟙'.repeat(255))).toEqual([]);
    expect(faultsOf('𝟙'.repeat(256))).toEqual(['remark']);
  });
});
