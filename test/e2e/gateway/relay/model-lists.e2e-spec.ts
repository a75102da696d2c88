import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VendorFixture } from '../../vendors/vendor.fixture.js';

const VERSION = { 'anthropic-version': '2023-06-01' };
const PRICED = ['m-1', 'm-2', 'm-3'];

let fixture: VendorFixture;
const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(`${fixture.url}${path}`, {
    headers: { authorization: `Bearer ${fixture.key}`, ...headers },
  });
  return { status: response.status, json: (await response.json()) as Readonly<Record<string, unknown>> };
};
const idsIn = (list: unknown): readonly string[] =>
  (list as readonly Readonly<Record<string, string>>[]).map(({ id, name }) =>
    String(id ?? name).replace(/^models\//, ''),
  );

const LISTS = [
  { api: 'OpenAI', path: '/v1/models', headers: {}, member: 'data' },
  { api: 'Anthropic', path: '/v1/models', headers: VERSION, member: 'data' },
  { api: 'Google', path: '/v1beta/models', headers: {}, member: 'models' },
] as const;

beforeAll(async () => {
  fixture = await VendorFixture.start([{ type: 1, models: PRICED }]);
  await fixture.admin.addChannel({ type: 1, base_url: fixture.vendor.url, models: ['unpriced'] });
});
afterAll(() => fixture.stop());

describe('GET /v1/models', () => {
  it.each(LISTS)('names what a call would not be refused for ($api)', async ({ path, headers, member }) => {
    expect(idsIn((await get(path, headers)).json[member])).toEqual(PRICED);
    expect((await get(`${path}/m-2`, headers)).status).toBe(200);
    expect((await get(`${path}/unpriced`, headers)).status).toBe(404);
    await fixture.admin.setOptions({ SelfUseModeEnabled: true });
    const open = await get(path, headers);
    await fixture.admin.setOptions({ SelfUseModeEnabled: false });
    expect(idsIn(open.json[member])).toEqual([...PRICED, 'unpriced']);
  });

  it('answers below the address that other gateways have for clients of Anthropic, too', async () => {
    expect(idsIn((await get('/anthropic/v1/models', VERSION)).json['data'])).toEqual(PRICED);
    expect((await get('/anthropic/v1/models/m-1', VERSION)).json).toMatchObject({ type: 'model', id: 'm-1' });
  });

  it('continues behind the last model of a page of Anthropic’s list, even if that is gone by then', async () => {
    const page = async (query: string) => (await get(`/v1/models?${query}`, VERSION)).json;
    expect(await page('limit=2')).toMatchObject({ has_more: true, first_id: 'm-1', last_id: 'm-2' });
    expect(idsIn((await page('limit=2&after_id=m-2'))['data'])).toEqual(['m-3']);
    expect(idsIn((await page('limit=2&after_id=m-11'))['data'])).toEqual(['m-2', 'm-3']);
    expect(idsIn((await page('limit=2&after_id=zzz'))['data'])).toEqual([]);
    expect(idsIn((await page('limit=2&before_id=m-3'))['data'])).toEqual(['m-1', 'm-2']);
    expect(idsIn((await page('limit=1&before_id=m-21'))['data'])).toEqual(['m-2']);
  });
});
