import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DrawingEntity } from '../../../server/gateway/tasks/drawing.entity.js';
import { GatewayConsole } from '../../support/gateway-console.js';
import { startTestApp, type TestApp } from '../../support/build-test-app.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: { readonly description?: string };
}
interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } | undefined }>
  >;
}

let app: TestApp;
let admin: GatewayConsole;
let key: string;
let document: Document;

beforeAll(async () => {
  app = await startTestApp();
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  for (let count = 0; count < 3; count += 1) {
    await admin.addChannel({ base_url: 'http://127.0.0.1:9999', models: ['m'] });
    ({ key } = await admin.addToken());
    await admin.addUser(`person${count}`, 1_000);
  }
  // Drawings come in pages of ten.
  await app.dataSource.getRepository(DrawingEntity).save(Array.from({ length: 12 }, (_, at) => aDrawing(at)));
  document = (await (await fetch(`${app.url}/api/openapi.json`)).json()) as Document;
});
afterAll(() => app?.close());

/** Lists that are read page by page, as the document names them. */
const lists = () =>
  Object.entries(document.paths).flatMap(([path, { get }]) => {
    const asked = (get?.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const p = asked.find(({ name }) => name === 'p');
    if (p === undefined) return [];
    const says = p.description ?? p.schema?.description ?? '';
    return [
      {
        path: path.replace('{id}', '1'),
        names: asked.map(({ name }) => name),
        first: /counted from 0/.test(says) ? 0 : 1,
      },
    ];
  });

/** Rows of a list. */
async function rowsOf(path: string, query: string): Promise<readonly unknown[]> {
  const response =
    path === '/api/log/token'
      ? await fetch(`${app.url}${path}?${query}`, { headers: { authorization: `Bearer ${key}` } })
      : await admin.fetch('GET', `${path}?${query}`);
  const { success, data, message } = (await response.json()) as {
    success: boolean;
    message: string;
    data: readonly unknown[] | { readonly items: readonly unknown[] };
  };
  if (!success) throw new Error(`${path}: ${message}`);
  return 'items' in data ? data.items : data;
}

describe('pages', () => {
  it('counts them from 1 under the same name on every list, and from where each began under the old one', async () => {
    const all = lists();
    expect(all.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/api/channel', '/api/token', '/api/mj', '/api/user', '/api/log']),
    );
    const filled = new Set<string>();
    for (const { path, names, first } of all) {
      expect({ path, names }).toEqual({ path, names: expect.arrayContaining(['page']) });
      const size = ['page_size=1', 'size=1']
        .filter((one) => names.includes(one.split('=')[0] ?? ''))
        .join('&');
      const read = (query: string) => rowsOf(path, `${query}&${size}`);
      for (const page of [1, 2]) {
        const rows = await read(`page=${page}`);
        expect({ path, rows }).toEqual({ path, rows: await read(`p=${page - 1 + first}`) });
        // The common name goes before the old one.
        expect({ path, rows }).toEqual({ path, rows: await read(`page=${page}&p=7`) });
        if (page === 2 && rows.length > 0) filled.add(path);
      }
      expect(await read('page=1')).toEqual(await read('x=1'));
    }
    // Lists whose second page is another one than nothing.
    expect([...filled]).toEqual(
      expect.arrayContaining(['/api/channel', '/api/channel/search', '/api/token', '/api/user', '/api/mj']),
    );
  });
});

const aDrawing = (at: number): Partial<DrawingEntity> => ({
  requestId: `request-${at}`,
  userId: 1,
  channelId: 1,
  code: 1,
  action: 'IMAGINE',
  prompt: 'a cat',
  promptEn: '',
  description: '',
  state: '',
  submitTime: at + 1,
  imageUrl: '',
  videoUrls: '',
  status: 'SUCCESS',
  progress: '100%',
  failReason: '',
  buttons: '',
  properties: '',
  mjId: `drawing-${at}`,
});
