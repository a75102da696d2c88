import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.mjs';

// The attack of `npm run chaos -- limits` on a budget of LiteLLM that needs no database: that of a provider, with room for 100 calls.
//   python3 -m venv FOLDER && FOLDER/bin/pip install 'litellm[proxy]'
//   node bench/peers/litellm-budget.mjs FOLDER/bin/litellm

const [program] = process.argv.slice(2);
if (program === undefined) throw new Error('usage: node bench/peers/litellm-budget.mjs PATH/TO/litellm');

const AT_ONCE = 500;
const ROOM = 100;
const USAGE = { prompt_tokens: 10, completion_tokens: 50, total_tokens: 60 };
const PRICE = { input: 0.000001, output: 0.000002 };
const CHARGE = USAGE.prompt_tokens * PRICE.input + USAGE.completion_tokens * PRICE.output;
const KEY = 'sk-attack';
/** Longest start of the peer, and longest wait for its decisions, milliseconds. */
const PATIENCE_MS = 180_000;
/** Spend is written to the budget after the answer. */
const SETTLED_AFTER_MS = 5_000;

/** Answers every call with the same usage, as soon as the gate is open. */
async function startVendor() {
  const gate = Promise.withResolvers();
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      calls += 1;
      void gate.promise.then(() => {
        const message = { role: 'assistant', content: 'tok' };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({
            id: 'chatcmpl-1',
            object: 'chat.completion',
            created: 1_700_000_000,
            model: 'fx',
            choices: [{ index: 0, message, finish_reason: 'stop' }],
            usage: USAGE,
          }),
        );
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, open: gate.resolve, calls: () => calls, close: () => server.close() };
}

const settings = (vendorPort) => `
model_list:
  - model_name: fx
    litellm_params:
      model: openai/fx
      api_base: http://127.0.0.1:${vendorPort}/v1
      api_key: sk-vendor
      input_cost_per_token: ${PRICE.input.toFixed(9)}
      output_cost_per_token: ${PRICE.output.toFixed(9)}
router_settings:
  num_retries: 0
  provider_budget_config:
    openai:
      budget_limit: ${(ROOM * CHARGE).toFixed(9)}
      time_period: 1d
general_settings:
  master_key: ${KEY}
`;

async function startPeer(folder, vendorPort) {
  const port = await freePort();
  const path = join(folder, 'config.yaml');
  writeFileSync(path, settings(vendorPort));
  const child = spawn(program, ['--config', path, '--port', String(port), '--host', '127.0.0.1'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LITELLM_TELEMETRY: 'False', NO_PROXY: '*' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => (output = (output + bytes).slice(-8_192)));
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + PATIENCE_MS;
  while (
    !(await fetch(`${url}/health/liveliness`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`LiteLLM did not start:\n${output}`);
    await pause(200);
  }
  return { child, url };
}

async function call(url) {
  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'fx', max_tokens: 50, messages: [{ role: 'user', content: 'hello' }] }),
  });
  await reply.text();
  return reply.status;
}

async function settled(vendor, decided) {
  const deadline = Date.now() + PATIENCE_MS;
  while (vendor.calls() + decided() < AT_ONCE && Date.now() < deadline) await pause(100);
}

const line = (name, vendor, before, statuses) => {
  const sent = vendor.calls() - before;
  const counts = Object.entries(Object.groupBy(statuses, String)).map(
    ([status, all]) => `${all.length} × ${status}`,
  );
  process.stdout.write(
    `${name}: ${sent} of ${statuses.length} calls reached the vendor (${counts.join(', ')})\n`,
  );
  return sent;
};

const folder = mkdtempSync(join(tmpdir(), 'litellm-budget-'));
const vendor = await startVendor();
let peer;
try {
  peer = await startPeer(folder, vendor.port);
  let refused = 0;
  const calls = Array.from({ length: AT_ONCE }, async () => {
    const status = await call(peer.url);
    if (status !== 200) refused += 1;
    return status;
  });
  await settled(vendor, () => refused);
  vendor.open();
  const first = line(`${AT_ONCE} at once`, vendor, 0, await Promise.all(calls));
  await pause(SETTLED_AFTER_MS);
  const after = [];
  for (let index = 0; index < 20; index += 1) after.push(await call(peer.url));
  line('20 afterwards, one after the other', vendor, first, after);
  process.stdout.write(
    `budget ${ROOM} calls, spent ${vendor.calls()}: ${Math.max(0, vendor.calls() - ROOM)} above it\n`,
  );
} finally {
  peer?.child.kill('SIGTERM');
  vendor.close();
  rmSync(folder, { recursive: true, force: true });
}
