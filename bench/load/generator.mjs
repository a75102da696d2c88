import { closedLoop } from './closed-loop.mjs';
import { openLoop } from './open-loop.mjs';
import { soak } from './soak.mjs';
import { fastStreams, longStreams, manyStreams } from './streams.mjs';
import { postBytes } from './raw-http-connection.mjs';

/**
 * The load, in a process of its own. The parent sends `{ id, kind, order }`, gets `{ id, answer }` or `{ id, error }`, and
 * `{ line }` as progress of a long one. An order's `calls` (path, headers, body as text) become the `requests` the loops send,
 * `others` the ones beside them.
 */
const KINDS = { closedLoop, openLoop, fastStreams, manyStreams, longStreams, soak };

async function obey({ id, kind, order }) {
  try {
    const bytesOf = (calls) =>
      calls.map(({ path, headers, body }) => postBytes({ path, headers, body: Buffer.from(body) }));
    const requests = bytesOf(order.calls);
    const others = bytesOf(order.others ?? []);
    const say = (line) => process.send({ line });
    process.send({ id, answer: await KINDS[kind]({ ...order, requests, others, say }) });
  } catch (error) {
    process.send({ id, error: error.stack });
  }
}

process.on('message', (message) => void obey(message));
process.on('disconnect', () => process.exit(0));
process.send({ ready: true });
