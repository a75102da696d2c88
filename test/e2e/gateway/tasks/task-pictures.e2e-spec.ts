import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TaskImageSignatures } from '../../../../server/gateway/tasks/task-image-signatures.js';
import { ScriptedVendor, type Say } from './scripted-vendor.ts';
import { TasksFixture } from './tasks.fixture.ts';

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(200_000, 7)]);
const MB = 1024 * 1024;

describe('pictures of drawings [TASK-105]', () => {
  let fixture: TasksFixture;
  let host: ScriptedVendor;
  beforeAll(async () => {
    fixture = await TasksFixture.open();
    host = await ScriptedVendor.start();
  });
  afterAll(async () => {
    await fixture?.close();
    await host?.close();
  });

  const image = (body: unknown, type = 'image/png'): Say => ({ headers: { 'content-type': type }, body });
  const linkOf = async (row: Parameters<TasksFixture['drawing']>[0] = {}): Promise<string> => {
    const drawing = await fixture.drawing({ imageUrl: `${host.url}/a.png`, status: 'SUCCESS', ...row });
    const sign = fixture.app.app.get(TaskImageSignatures, { strict: false }).sign(drawing);
    return `${fixture.app.url}/mj/image/${drawing.mjId}?sign=${sign}`;
  };
  const fault = async (link: string): Promise<unknown> => {
    const response = await fetch(link);
    return [response.status, await response.json()];
  };

  it('shows them to holders of the signed link, with headers that let nothing in them run', async () => {
    host.say = () => image(PNG);
    const link = await linkOf();
    for (const address of [link, link.replace('/mj/', '/mj-fast/mj/')]) {
      const response = await fetch(address);
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(PNG)).toBe(true);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, max-age=86400',
      });
    }
    const unfinished = await fetch(await linkOf({ status: 'IN_PROGRESS' }));
    expect(unfinished.headers.get('cache-control')).toBe('no-store');
    await unfinished.arrayBuffer();
  });

  it('shows none without the signature of that record', async () => {
    host.asked.length = 0;
    const [link, other] = [await linkOf(), await linkOf()];
    const foreign = `${link.split('?')[0]}?${other.split('?')[1]}`;
    const bare = await linkOf({ imageUrl: '' });
    for (const address of [link.split('?')[0] ?? '', `${link}x`, foreign, bare, link.replace('mj-', 'mk-')])
      expect(await fault(address)).toEqual([400, { error: 'midjourney_task_not_found' }]);
    expect(host.asked).toEqual([]);
  });

  it('refuses pages, vectors, liars, the too large and the broken', async () => {
    const refused: readonly (readonly [Say, number, string])[] = [
      [image('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'), 500, 'not_an_image'],
      [image('<html></html>', 'text/html'), 500, 'not_an_image'],
      [image(PNG, 'text/html'), 500, 'not_an_image'],
      [image('', 'image/png'), 500, 'not_an_image'],
      [{ status: 404, body: 'gone' }, 404, 'status 404'],
      [{ status: 403, body: 'no' }, 403, 'status 403'],
      [{ status: 204, body: '' }, 500, 'status 204'],
    ];
    for (const [say, status, error] of refused) {
      host.say = () => say;
      expect(await fault(await linkOf())).toEqual([status, { error }]);
    }
    host.say = () => image(Buffer.concat([PNG, Buffer.alloc(21 * MB)]));
    const cut = await fetch(await linkOf());
    await expect(cut.arrayBuffer()).rejects.toThrow();
    expect(await fault(await linkOf({ imageUrl: 'http://10.1.2.3/a.png' }))).toEqual([
      500,
      { error: 'address_refused' },
    ]);
    expect(await fault(await linkOf({ imageUrl: 'https://127.0.0.1:6379/a.png' }))).toMatchObject([500, {}]);
  });

  it('follows few redirects, each past the guard', async () => {
    host.say = ({ path }) =>
      path === '/a.png' ? { status: 302, headers: { location: '/b.png' }, body: '' } : image(PNG);
    const followed = await fetch(await linkOf());
    expect([followed.status, (await followed.arrayBuffer()).byteLength]).toEqual([200, PNG.length]);
    host.say = () => ({ status: 302, headers: { location: 'http://169.254.169.254/latest' }, body: '' });
    expect(await fault(await linkOf())).toEqual([500, { error: 'address_refused' }]);
    host.say = () => ({ status: 302, headers: { location: '/again' }, body: '' });
    expect(await fault(await linkOf())).toEqual([500, { error: 'too_many_redirects' }]);
  });
});
