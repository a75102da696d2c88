import { MODELS, prose, tokensOfProse } from '../models.mjs';
import { streamOf } from './vendor-streams.mjs';
import { createRawHttpServer } from './raw-http-server.mjs';

/**
 * An upstream with the API formats of OpenAI, Anthropic and Google, that answers at once and records every token it claimed.
 * `GET /counters` returns them, `DELETE /counters` resets them. Sends its port to the parent when it listens.
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

/** Claimed output must match the text: else the gateway counts it itself, and that is measured. */
const usageFor = (number, completion) => {
  const prompt = 150 + (number % 50);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
};

/* Answers differ only in their usage: the parts around it are made once. */
const ANSWER_TEXT = prose(620);
const answerBefore = (model) =>
  `{"id":"chatcmpl-bench","object":"chat.completion","created":1700000000,"model":"${model}","choices":[{"index":0,` +
  `"message":{"role":"assistant","content":"${ANSWER_TEXT}"},"logprobs":null,"finish_reason":"stop"}],"usage":`;
const ANSWER_AFTER = ',"system_fingerprint":"fp_bench"}';
const answerHeads = new Map(Object.keys(MODELS).map((model) => [model, answerBefore(model)]));

const anthropicBefore = (model) =>
  `{"id":"msg_bench","type":"message","role":"assistant","model":"${model}","content":[{"type":"text",` +
  `"text":"${ANSWER_TEXT}"}],"stop_reason":"end_turn","stop_sequence":null,"usage":`;

const streams = new Map(
  Object.entries(MODELS).map(([model, behaviour]) => [model, streamOf(model, behaviour)]),
);

function textField(body, name) {
  const mark = `"${name}":"`;
  const start = body.indexOf(mark);
  if (start < 0) return '';
  return body.toString('latin1', start + mark.length, body.indexOf('"', start + mark.length));
}

function complete(counter, usage) {
  counter.completed += 1;
  counter.promptTokens += usage.prompt_tokens;
  counter.completionTokens += usage.completion_tokens;
}

function answerJson(reply, model, counter, number) {
  const usage = usageFor(number, tokensOfProse(ANSWER_TEXT.length) + (number % 10));
  if (MODELS[model].grammar === 'anthropic') {
    const figures = { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens };
    reply.whole(200, `${anthropicBefore(model)}${JSON.stringify(figures)}}`);
  } else reply.whole(200, `${answerHeads.get(model)}${JSON.stringify(usage)}${ANSWER_AFTER}`);
  complete(counter, usage);
}

function answerStream(reply, model, counter, number, behaviour, wantsUsage) {
  const { open, chunk, close, textBytes } = streams.get(model);
  const last = behaviour.cutAfter ?? behaviour.chunks;
  let sent = 0;
  let timer;
  reply.onLeft = () => {
    clearInterval(timer);
    counter.abandoned += 1;
  };
  reply.startStream();
  if (open !== undefined) reply.write(open);

  function finish() {
    clearInterval(timer);
    if (behaviour.cutAfter !== undefined) {
      counter.cut += 1;
      reply.break();
      return;
    }
    const usage = usageFor(
      number,
      behaviour.completionTokens ?? tokensOfProse(textBytes * behaviour.chunks) + (number % 10),
    );
    reply.write(close(usage, wantsUsage));
    reply.endStream();
    complete(counter, usage);
  }

  function step() {
    if (reply.isOver) return;
    if (behaviour.gapMs > 0 && reply.isFull) return;
    const hasRoom = reply.write(chunk);
    sent += behaviour.burst ?? 1;
    if (sent >= last) finish();
    else if (behaviour.gapMs > 0) return;
    else if (hasRoom) setImmediate(step);
    else reply.onceDrained(step);
  }
  step();
  if (behaviour.gapMs > 0) timer = setInterval(step, behaviour.gapMs);
}

/** Google's callers name the model in the address. */
const modelIn = (path) => /^\/v1beta\/models\/([^:/]+):/.exec(path)?.[1];

function answerCall(reply, path, body) {
  const model = modelIn(path) ?? textField(body, 'model');
  const behaviour = MODELS[model];
  if (behaviour === undefined) {
    reply.whole(
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
      reply.break();
      return;
    }
    if (turn % 13 === 0 || turn % 9 === 0) {
      counter.refused += 1;
      const status = turn % 13 === 0 ? 429 : 500;
      reply.whole(status, '{"error":{"message":"scripted failure","type":"server_error","code":null}}');
      return;
    }
  }
  if (behaviour.kind === 'json') answerJson(reply, model, counter, number);
  else answerStream(reply, model, counter, number, behaviour, body.includes('"include_usage":true'));
}

const server = createRawHttpServer(({ method, path, body }, reply) => {
  if (method === 'POST') {
    answerCall(reply, path, body);
    return;
  }
  if (path === '/counters') {
    if (method === 'DELETE') counters = new Map();
    reply.whole(200, JSON.stringify(Object.fromEntries(counters)));
    return;
  }
  if (path === '/v1/models') {
    const data = Object.keys(MODELS).map((id) => ({ id, object: 'model', created: 0, owned_by: 'bench' }));
    reply.whole(200, JSON.stringify({ object: 'list', data }));
    return;
  }
  reply.whole(404, '{"error":{"message":"not found"}}');
});

server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
  process.send({ port: server.address().port }),
);
process.on('disconnect', () => process.exit(0));
