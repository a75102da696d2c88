import { describe, expect, it } from '@jest/globals';
import { apiNamed, chatCore, CHAT_APIS, FORMAT_ROUTES } from '../../../test/support/core-calls.js';
import { MemoryPorts, someOptions } from '../../../test/support/memory-ports.js';

/** Failures that no vendor's API describes: pages of proxies on the way, and sentences in places of their own. */
const PAGE = '<html><head><title>403 Forbidden</title></head><body>nginx 10.0.0.7</body></html>';
const APIS = CHAT_APIS.map(({ name }) => name);
const FORMATS = Object.keys(FORMAT_ROUTES);

describe('a page of a proxy on the way', () => {
  it.each(FORMATS.flatMap((format) => [403, 404, 405].map((status) => [format, status] as const)))(
    'blames neither the key nor the caller: an upstream of %s, status %d',
    async (format, status) => {
      for (const name of APIS) {
        const ports = new MemoryPorts();
        ports.options.value = someOptions({ retryTimes: 1 });
        const reply = await chatCore(ports, apiNamed(name), false, format, (upstream) => {
          upstream.head(status, { 'content-type': 'text/html' }).bytes(PAGE).end();
        });
        expect([reply.status, reply.text.includes('nginx')]).toEqual([502, false]);
        expect(reply.text).toContain('a page of its own');
        expect(ports.sender.exchanges).toHaveLength(2);
        expect(ports.quota.settled).toEqual([]);
      }
    },
  );

  it('leaves a refusal of the vendor itself what it is', async () => {
    const refused = { error: { message: 'no such model', code: 'model_not_found' } };
    const reply = await chatCore(new MemoryPorts(), apiNamed('chat'), false, 'chat', (upstream) => {
      upstream.json(404, refused);
    });
    expect(reply.status).toBe(404);
  });
});

describe('a failure in a member of its own', () => {
  const sentence = 'This model takes 512 tokens at most.';

  it.each(APIS.flatMap((name) => [false, true].map((stream) => [name, stream] as const)))(
    'keeps status and sentence of `error_message` beside empty choices (%s, streamed: %s)',
    async (name, stream) => {
      const failure = { id: 'c', choices: null, error_message: sentence, error_code: 400 };
      const reply = await chatCore(new MemoryPorts(), apiNamed(name), stream, 'chat', (upstream) => {
        if (stream) upstream.head().events(JSON.stringify(failure), '[DONE]').end();
        else upstream.json(200, failure);
      });
      expect([reply.status, reply.text.includes(sentence)]).toEqual([400, true]);
    },
  );

  it.each(FORMATS.filter((format) => format !== 'gemini'))(
    'keeps it alone in a stream of %s',
    async (format) => {
      const reply = await chatCore(new MemoryPorts(), apiNamed('chat'), true, format, (upstream) => {
        upstream
          .head()
          .events(JSON.stringify({ error_message: sentence, error_code: 400 }))
          .end();
      });
      expect([reply.status, reply.text.includes(sentence)]).toEqual([400, true]);
    },
  );
});
