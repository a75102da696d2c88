import { describe, expect, it } from '@jest/globals';
import { PROVIDERS } from '../../../relay-core/providers/registry.js';
import { ChannelTypesController } from './channel-types.controller.js';

const offered = new ChannelTypesController().list();

describe('GET /api/channel/types', () => {
  it.each(PROVIDERS.flatMap(({ id, typeCodes }) => typeCodes.map((code) => [id, code] as const)))(
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
});
