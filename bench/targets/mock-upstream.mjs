import { createServer } from 'node:http';
import { CHUNK_BYTES, MODELS, prose } from '../models.mjs';

/**
 * An OpenAI-compatible upstream that answers at once and remembers every token it claimed.
 * `GET /counters` tells, `DELETE /counters` forgets. Sends its port to the parent when it listens.
 */

let counters = new Map();
let serial = 0;

const newCounter = () => ({
  accepted: 0,
  /** Answers that went out whole, with their usage. */
  completed: 0,
  promptTokens: 0,
  completionTokens: 0,
  refused: 0,
  reset: 0,
  /** Streams we broke, or the other side left. */
  cut: 0,
  abandoned: 0,
});

function counterOf(model) {
  let counter = counters.get(model);
  if (counter === undefined) counters.set(model, (counter = newCounter()));
  return counter;
}

const usageFor = (number) => {
  const prompt = 150 + (number % 50);
  const completion = 20 + (number % 100);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
};

/* Answers differ only in their usage: the parts around it are made once. */
const ANSWER_TEXT = prose(620);
const answerBefore = (model) =>
  `{"id":"chatcmpl-bench","object":"chat.completion","created":1700000000,"model":"${model}","choices":[{"index":0,` +
  `"message":{"role":"assistant","content":"${ANSWER_TEXT}"},"logprobs":null,"finish_reason":"stop"}],"usage":`;
const ANSWER_AFTER = ',"system_fingerprint":"fp_bench"}';
const answerHeads = new Map(Object.keys(MODELS).map((model) => [model, answerBefore(model)]));

const chunkStart = (model, delta, finish) =>
  `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"${model}",` +
  `"choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}\n\n`;

/** A content chunk of exactly CHUNK_BYTES. */
function contentChunk(model) {
  const room = CHUNK_BYTES - chunkStart(model, '{"content":""}', 'null').length;
  return Buffer.from(chunkStart(model, `{"content":"${prose(room)}"}`, 'null'));
}
const contentChunks = new Map(Object.keys(MODELS).map((model) => [model, contentChunk(model)]));
const FINISH = Buffer.from(chunkStart('bench', '{}', '"stop"'));
const DONE = Buffer.from('data: [DONE]\n\n');
const usageChunk = (model, usage) =>
  `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"${model}","choices":[],` +
  `"usage":${JSON.stringify(usage)}}\n\n`;

function textField(body, name) {
  const mark = `"${name}":"`;
  const start = body.indexOf(mark);
  if (start < 0) return '';
  return body.toString('latin1', start + mark.length, body.indexOf('"', start + mark.length));
}

const KEEP = 'application/json';

function sendJson(response, status, text) {
  response.writeHead(status, { 'content-type': KEEP, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function answerJson(response, model, counter, number) {
  const usage = usageFor(number);
  const text = `${answerHeads.get(model)}${JSON.stringify(usage)}${ANSWER_AFTER}`;
  response.writeHead(200, { 'content-type': KEEP, 'content-length': text.length });
  response.end(text);
  counter.completed += 1;
  counter.promptTokens += usage.prompt_tokens;
  counter.completionTokens += usage.completion_tokens;
}

function answerStream(response, model, counter, number, behaviour, wantsUsage) {
  const chunk = contentChunks.get(model);
  const last = behaviour.cutAfter ?? behaviour.chunks;
  let sent = 0;
  let timer;
  let over = false;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.once('close', () => {
    clearInterval(timer);
    if (!over) counter.abandoned += 1;
    over = true;
  });

  function finish() {
    over = true;
    clearInterval(timer);
    if (behaviour.cutAfter !== undefined) {
      counter.cut += 1;
      response.destroy();
      return;
    }
    const usage = usageFor(number);
    response.write(FINISH);
    if (wantsUsage) response.write(usageChunk(model, usage));
    response.end(DONE);
    counter.completed += 1;
    counter.promptTokens += usage.prompt_tokens;
    counter.completionTokens += usage.completion_tokens;
  }

  if (behaviour.gapMs > 0) {
    const step = () => {
      if (over) return;
      if (response.writableNeedDrain) return;
      response.write(chunk);
      sent += 1;
      if (sent === last) finish();
    };
    step();
    timer = setInterval(step, behaviour.gapMs);
    return;
  }
  const step = () => {
    if (over) return;
    const free = response.write(chunk);
    sent += 1;
    if (sent === last) finish();
    else if (free) setImmediate(step);
    else response.once('drain', step);
  };
  step();
}

function answer(request, response, body) {
  const model = textField(body, 'model');
  const behaviour = MODELS[model];
  if (behaviour === undefined) {
    sendJson(
      response,
      404,
      '{"error":{"message":"no such model","type":"invalid_request_error","code":"model_not_found"}}',
    );
    return;
  }
  const counter = counterOf(model);
  const number = (serial += 1);
  counter.accepted += 1;
  if (behaviour.flaky) {
    const turn = counter.accepted;
    if (turn % 17 === 0) {
      counter.reset += 1;
      request.socket.resetAndDestroy();
      return;
    }
    if (turn % 13 === 0 || turn % 9 === 0) {
      counter.refused += 1;
      const status = turn % 13 === 0 ? 429 : 500;
      sendJson(
        response,
        status,
        '{"error":{"message":"scripted failure","type":"server_error","code":null}}',
      );
      return;
    }
  }
  if (behaviour.kind === 'json') answerJson(response, model, counter, number);
  else answerStream(response, model, counter, number, behaviour, body.includes('"include_usage":true'));
}

const server = createServer({ keepAliveTimeout: 120_000, noDelay: true }, (request, response) => {
  if (request.method === 'POST') {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => answer(request, response, parts.length === 1 ? parts[0] : Buffer.concat(parts)));
    return;
  }
  if (request.url === '/counters') {
    if (request.method === 'DELETE') counters = new Map();
    sendJson(response, 200, JSON.stringify(Object.fromEntries(counters)));
    return;
  }
  if (request.url === '/v1/models') {
    const data = Object.keys(MODELS).map((id) => ({ id, object: 'model', created: 0, owned_by: 'bench' }));
    sendJson(response, 200, JSON.stringify({ object: 'list', data }));
    return;
  }
  sendJson(response, 404, '{"error":{"message":"not found"}}');
});

// A reset of ours, or a client that left: both are part of the script.
server.on('clientError', (_error, socket) => socket.destroy());
server.listen(0, '127.0.0.1', 4096, () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit(0));
