import fastify from 'fastify';
import { Pool } from 'undici';

/**
 * The yardstick: the least a Node gateway can do. One Fastify route, bytes up and bytes down through undici's dispatch,
 * with back-pressure. No keys, no limits, no money, no logs. Argument: the upstream's origin. Sends its port when it listens.
 */

const upstream = new Pool(process.argv[2], { connections: 4096, pipelining: 1, allowH2: false });
const app = fastify({ bodyLimit: 32 * 1024 * 1024, logger: false });

app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

app.post('/v1/chat/completions', (request, reply) => {
  reply.hijack();
  const response = reply.raw;
  let controller;
  let over = false;
  response.once('close', () => {
    if (!over) controller?.abort(new Error('the client left'));
  });
  upstream.dispatch(
    {
      method: 'POST',
      path: request.url,
      headers: { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' },
      body: request.body,
    },
    {
      onRequestStart(given) {
        controller = given;
      },
      onResponseStart(_controller, status, headers) {
        const kept = {};
        for (const name in headers) if (!HOP_BY_HOP.has(name)) kept[name] = headers[name];
        response.writeHead(status, kept);
      },
      onResponseData(given, chunk) {
        if (response.write(chunk)) return;
        given.pause();
        response.once('drain', () => given.resume());
      },
      onResponseEnd() {
        over = true;
        response.end();
      },
      onResponseError() {
        over = true;
        if (!response.headersSent) response.writeHead(502);
        response.end();
      },
    },
  );
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.send({ port: app.server.address().port });
process.on('disconnect', () => process.exit(0));
