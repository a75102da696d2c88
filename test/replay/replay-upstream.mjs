import { once } from 'node:events';
import { createServer } from 'node:http';
import { EventStreamCodec } from '@smithy/eventstream-codec';

const utf8 = {
  to: (bytes) => Buffer.from(bytes).toString('utf8'),
  from: (text) => Buffer.from(text, 'utf8'),
};
const codec = new EventStreamCodec(utf8.to, utf8.from);

const linesOf = (recording) =>
  recording.bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');

/** An AWS event-stream frame: named by the line's single key, its value as the payload. */
function awsFrame(line) {
  const document = JSON.parse(line);
  const [name] = Object.keys(document);
  const kind = name.endsWith('Exception') ? 'exception' : 'event';
  return Buffer.from(
    codec.encode({
      headers: {
        [`:${kind}-type`]: { type: 'string', value: name },
        ':content-type': { type: 'string', value: 'application/json' },
        ':message-type': { type: 'string', value: kind },
      },
      body: Buffer.from(JSON.stringify(document[name])),
    }),
  );
}

/** Framing of a recording's lines in its vendor's format. */
const FRAMINGS = {
  'sse-done': { type: 'text/event-stream', frame: (line) => `data: ${line}\n\n`, end: 'data: [DONE]\n\n' },
  sse: { type: 'text/event-stream', frame: (line) => `data: ${line}\n\n`, end: '' },
  'sse-named': {
    type: 'text/event-stream',
    // Some recorded lines are no JSON; they are sent as they are.
    frame: (line) => `event: ${/"type":\s*"([^"]+)"/.exec(line)?.[1]}\ndata: ${line}\n\n`,
    end: '',
  },
  'sse-event': {
    type: 'text/event-stream',
    frame: (line) => {
      const { event, data } = JSON.parse(line);
      return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    },
    end: '',
  },
  lines: { type: 'application/x-ndjson', frame: (line) => `${line}\n`, end: '' },
  aws: { type: 'application/vnd.amazon.eventstream', frame: awsFrame, end: '' },
};

/** A recording as its vendor sent it. @returns {{type: string, body: Buffer}} */
export function onTheWire(recording, framing) {
  if (recording.form === 'whole') return { type: 'application/json', body: recording.bytes };
  if (recording.form === 'sse') return { type: 'text/event-stream', body: recording.bytes };
  const { type, frame, end } = FRAMINGS[framing];
  const pieces = [...linesOf(recording).map(frame), end].map((piece) => Buffer.from(piece));
  return { type, body: Buffer.concat(pieces) };
}

/**
 * An upstream that answers every request with the recording it was last shown, in pieces of uneven size.
 * @returns {Promise<{origin: string, show: (recording: object, framing: string) => void, asked: () => object[], close: () =>
 * Promise<void>}>}
 */
export async function startReplayUpstream() {
  let answer = { type: 'application/json', body: Buffer.from('{}'), status: 200 };
  let asked = [];
  const reply = async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    asked.push({ path: request.url, headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(answer.status, { 'content-type': answer.type });
    if (answer.type === 'application/json') {
      response.end(answer.body);
      return;
    }
    // Sizes that fall into the middle of events, lines and letters.
    for (let at = 0, step = 0; at < answer.body.length; step += 1) {
      const size = [7, 911, 64, 4_099, 1][step % 5];
      if (!response.write(answer.body.subarray(at, at + size))) await once(response, 'drain');
      at += size;
    }
    response.end();
  };
  const server = createServer((request, response) => {
    // The gateway may hang up in the middle of an answer.
    reply(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    show: (recording, framing) => {
      const status = recording.form === 'whole' && isFailure(recording) ? 400 : 200;
      answer = { ...onTheWire(recording, framing), status };
      asked = [];
    },
    asked: () => asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A recorded refusal: an error and nothing else. */
function isFailure(recording) {
  const document = JSON.parse(recording.bytes.toString('utf8'));
  return typeof document?.error === 'object' && document.error !== null && document.output === undefined;
}
