import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GatewayConsole } from '../../support/gateway-console.ts';
import { GatewayProcess } from '../../support/gateway-process.ts';

const PREFIX = '/gateway';
const ENABLED = { chat: {}, console: {}, personal: {}, admin: {} };

let gateway: GatewayProcess;
let root: GatewayConsole;
beforeAll(async () => {
  gateway = await GatewayProcess.start({ env: { BASE_PATH: PREFIX } });
  root = new GatewayConsole(gateway.url + PREFIX);
  await root.setUp();
});
afterAll(() => gateway.stop());

const open = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(gateway.url + PREFIX + path, { headers });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
};

describe('guides', () => {
  it('gives every guest the guides with the address they came to, its path included, and no key', async () => {
    const { status, type, text } = await open('/docs/start.md?lang=en');
    expect([status, type]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text).toContain(`curl ${gateway.url}${PREFIX}/v1/chat/completions`);
    expect(text).toContain('Bearer YOUR_API_KEY');
    expect(text).not.toMatch(/\{\{|sk-/);
    const index = await open('/llms.txt');
    expect([index.status, index.type]).toEqual([200, 'text/plain; charset=utf-8']);
    for (const [, address] of index.text.matchAll(/\]\(([^)]+)\)/g))
      expect([address, (await fetch(address ?? '')).status]).toEqual([address, 200]);
  });

  it('writes the address the operator published', async () => {
    await root.setOptions({ ServerAddress: 'https://ai.example' });
    expect((await open('/docs/clients.md')).text).toContain(`ANTHROPIC_BASE_URL=https://ai.example${PREFIX}`);
    await root.setOptions({ ServerAddress: '' });
  });

  it('answers in the language of the query, else of the header', async () => {
    expect((await open('/docs/money.md', { 'accept-language': 'zh-CN' })).text).toMatch(/^# 费用/);
    expect((await open('/docs/money.md?lang=en', { 'accept-language': 'zh-CN' })).text).toMatch(/^# Money/);
    expect((await open('/docs/money.md?lang=xx')).text).toMatch(/^# Money/);
  });

  it.each(['/docs/other.md', '/docs/..%2fen%2fstart.md', '/docs/start.txt'])(
    'has nothing at %s',
    async (path) => {
      expect((await open(path)).status).toBe(404);
    },
  );

  it('serves nothing while the operator does not show the page', async () => {
    await root.setOptions({ SidebarModulesAdmin: { ...ENABLED, console: { docs: false } } });
    expect((await open('/docs/start.md')).status).toBe(404);
    expect((await open('/llms.txt')).status).toBe(404);
    await root.setOptions({ SidebarModulesAdmin: ENABLED });
    expect((await open('/docs/start.md')).status).toBe(200);
  });
});
