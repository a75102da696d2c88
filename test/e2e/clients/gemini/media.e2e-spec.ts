import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OutboundClient } from '../../../../server/infra/http-client/outbound-client.js';
import { OutboundPolicy } from '../../../../server/infra/http-client/safe-url.js';
import { GuardedMediaFetcher } from '../../../../server/gateway/channels/upstream/guarded-media-fetcher.js';

/** Files callers name by address, from a server that means no good. */
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const MEGABYTE = Buffer.alloc(1024 * 1024);

let server: Server;
let client: OutboundClient;
let fetcher: GuardedMediaFetcher;
let url: string;
const requests: string[] = [];

type Answer = (response: ServerResponse) => void;
const send =
  (type: string, body: Buffer | string, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  };
const redirect =
  (location: string): Answer =>
  (response) => {
    response.writeHead(302, { location });
    response.end();
  };

const ANSWERS: Readonly<Record<string, Answer>> = {
  '/cat.png': send('image/png', PNG),
  '/unnamed': send('application/octet-stream', PNG),
  '/lie.png': send('image/png', '<html><script>alert(1)</script></html>'),
  '/page.html': send('text/html', '<html></html>'),
  '/drawing.svg': send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  '/notes.txt': send('text/plain; charset=utf-8', 'notes'),
  '/empty': send('image/png', ''),
  '/gone': send('text/plain', 'no', 404),
  '/bomb': (response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.write(PNG);
    const more = (): void => {
      while (!response.destroyed && response.write(MEGABYTE));
    };
    response.on('drain', more);
    more();
  },
  '/broken': (response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': '1000' });
    response.write(PNG, () => response.destroy());
  },
  '/moved': redirect('/cat.png'),
  '/loop': redirect('/loop'),
  '/to-metadata': redirect('http://169.254.169.254/latest/meta-data/'),
  '/to-inside': redirect('http://10.0.0.1/'),
  '/to-file': redirect('file:///etc/passwd'),
  '/to-store': redirect('http://127.0.0.1:6379/'),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.url} ${JSON.stringify(request.headers)}`);
    (ANSWERS[request.url ?? ''] ?? send('text/plain', '', 404))(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new OutboundClient(
    new OutboundPolicy({
      allowedPrivateHosts: [],
      allowedPrivateHostsUsers: ['127.0.0.1:*'],
      isLoopback: true,
    }),
  );
  fetcher = new GuardedMediaFetcher(client);
});
afterAll(async () => {
  await client?.close();
  server?.closeAllConnections();
  server?.close();
});

describe('files by address [NET-01, NET-03, NET-04, NET-06, NET-07]', () => {
  it('fetches them with their type, after redirects, without any credentials', async () => {
    for (const path of ['/cat.png', '/unnamed', '/moved']) {
      expect(await fetcher.fetchFile(`${url}${path}`, 'image', 'user')).toEqual({
        ok: true,
        value: { base64: PNG.toString('base64'), mediaType: 'image/png' },
      });
    }
    expect(await fetcher.fetchFile(`${url}/notes.txt`, 'file', 'user')).toMatchObject({
      value: { mediaType: 'text/plain' },
    });
    for (const request of requests) expect(request).not.toMatch(/authorization|cookie|api-key/i);
  });

  it.each([
    ['/lie.png', 'image', /not a picture/],
    ['/page.html', 'file', /not a file/],
    ['/drawing.svg', 'image', /not a picture/],
    ['/cat.png', 'audio', /not a sound file/],
    ['/notes.txt', 'image', /not a picture/],
    ['/empty', 'image', /empty/],
    ['/gone', 'image', /status 404/],
    ['/bomb', 'image', /larger than 20 MB/],
    ['/broken', 'image', /broke off/],
    ['/loop', 'image', /redirects too often/],
    ['/to-metadata', 'image', /address is not one that may be called/],
    ['/to-inside', 'image', /address is not one that may be called/],
    ['/to-file', 'image', /address is not one that may be called/],
    ['/to-store', 'image', /address is not one that may be called/],
  ] as const)('%s is refused as %s', async (path, media, sentence) => {
    const answer = await fetcher.fetchFile(`${url}${path}`, media, 'user');
    expect(answer).toMatchObject({ ok: false, error: { kind: 'invalid-request', blame: 'caller' } });
    const message = answer.ok ? '' : answer.error.message;
    expect(message).toMatch(sentence);
    expect(message).not.toMatch(/127\.0\.0\.1|169\.254|10\.0\.0\.1|passwd/);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http://[::1]/x.png',
    'http://0x7f000002/x.png',
    'http://10.1.2.3/x.png',
    'http://example.org/x.png',
    'https://user:pass@example.org/x.png',
    'ftp://example.org/x.png',
    'not an address',
  ])('%s is never called', async (address) => {
    expect(await fetcher.fetchFile(address, 'image', 'user')).toMatchObject({
      ok: false,
      error: { kind: 'invalid-request', message: expect.stringMatching(/may be called/) },
    });
  });

  it('waits for its turn when many are fetched at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => fetcher.fetchFile(`${url}/cat.png`, 'image', 'user')),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
  });
});
