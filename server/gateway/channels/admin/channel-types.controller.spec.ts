import { describe, expect, it } from '@jest/globals';
import { PROVIDERS } from '../../../relay-core/providers/registry.js';
import { ChannelTypesController } from './channel-types.controller.js';

const offered = new ChannelTypesController().list();

describe('GET /api/channel/types', () => {
  it.each(PROVIDERS.flatMap(({ id, channelTypes }) => channelTypes.map(({ code }) => [id, code] as const)))(
    'offers %s (%i) with a name, an address or the wish for one, and what it can do',
    (_id, code) => {
      const type = offered.find((each) => each.code === code);
      expect(type?.name).not.toBe('');
      expect(type?.base_url !== '' || type.needs_base_url).toBe(true);
      expect(type?.operations).not.toEqual([]);
    },
  );

  it.each([
    [59, 'Sub2API'],
    [60, 'New API'],
  ])('calls type %i %s, though both are served alike', (code, name) => {
    expect(offered.find((each) => each.code === code)?.name).toBe(name);
  });

  it('lists the beginnings of keys that one vendor alone issues, none of them twice', () => {
    const prefixes = offered.flatMap(({ code, key_prefixes: own }) =>
      own.map((prefix) => [prefix, code] as const),
    );
    expect(prefixes.toSorted()).toEqual([
      ['AIza', 24],
      ['pplx-', 27],
      ['sk-ant-', 14],
      ['sk-or-', 20],
      ['sk-proj-', 1],
      ['sk-svcacct-', 1],
      ['xai-', 48],
    ]);
    expect(
      offered.flatMap(({ code, key_document_type: type }) => (type === '' ? [] : [[type, code]])),
    ).toEqual([['service_account', 41]]);
  });
});
