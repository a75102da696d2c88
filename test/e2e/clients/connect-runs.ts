import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connectClient } from '../../../console/src/shared/connect/clients.ts';
import type { ConnectPart } from '../../../console/src/shared/connect/connect-client.ts';
import { MoneyService } from '../../../server/base/billing/engine/money.service.js';
import { setUpRoot, startTestApp } from '../../support/build-test-app.ts';
import { FakeUpstream } from '../../support/fake-upstream.ts';
import { answer } from '../../support/fake-upstream-behaviours.ts';

const RUN_TIMEOUT_MS = 120_000;

/** The model that the gateway of these tests serves, and every answer of it. */
export const CONNECT_MODEL = 'gpt-4o-mini';
export const CONNECT_ANSWER = 'Grüezi';

export interface ConnectRun {
  /** Folder above the one the program runs in; packages are found there. */
  readonly beside?: string;
  /** Folders of programs, before those of the machine. */
  readonly programs?: readonly string[];
  /** Stands in for the commands where a person would type into the program. */
  readonly line?: string;
  /** A limit of the token, of which so many calls are made before the program starts. */
  readonly limit?: { readonly rule: Readonly<Record<string, unknown>>; readonly filledBy: number };
  /** The program may end with any code. */
  readonly mayFail?: true;
}

export interface ConnectFixture {
  /**
   * Runs the program of a client with the configuration of the console and a new token.
   * @returns its output, the last call of the token as its owner sees it, and how many calls reached the upstream meanwhile
   * Fails: throws with the output when the program ends with another code than 0.
   */
  run(
    id: string,
    run: ConnectRun,
  ): Promise<{ readonly output: string; readonly lastCall: unknown; readonly reached: number }>;
  close(): Promise<void>;
}

/** A gateway in this process before an upstream that answers every call alike. */
export async function openConnectFixture(): Promise<ConnectFixture> {
  const upstream = await FakeUpstream.start();
  upstream.on(CONNECT_MODEL, answer({ tokens: 1, gapMs: 0, token: CONNECT_ANSWER }));
  const app = await startTestApp({ env: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } });
  const root = await setUpRoot(app);
  await root.expectSuccess('POST', '/api/channel/', {
    name: 'upstream',
    type: 1,
    key: 'sk-upstream',
    base_url: upstream.url,
    models: CONNECT_MODEL,
    group: 'default',
  });
  return {
    run: async (id, run) => {
      const token = await root.expectSuccess<{ id: number; key: string }>('POST', '/api/token/', {
        name: id,
        unlimited_quota: true,
      });
      const input = { address: app.url, key: `sk-${token.key}`, model: CONNECT_MODEL };
      if (run.limit !== undefined) {
        const target = { name: 'agents', scope: 'token', subject: String(token.id) };
        await root.expectSuccess('POST', '/api/limits', { ...target, ...run.limit.rule });
        for (let call = 0; call < run.limit.filledBy; call += 1) await callOnce(input);
      }
      const before = upstream.journal.length;
      const output = await runConnected(connectClient(id).parts(input), run);
      const reached = upstream.journal.length - before;
      const money = app.app.get(MoneyService);
      money.spool.flush();
      await money.flusher.drain(5_000);
      const activity = await root.expectSuccess<{ last_call: unknown }>(
        'GET',
        `/api/token/${token.id}/activity`,
      );
      return { output, lastCall: activity.last_call, reached };
    },
    close: async () => {
      await app.close();
      await upstream.close();
    },
  };
}

async function callOnce({
  address,
  key,
  model,
}: {
  address: string;
  key: string;
  model: string;
}): Promise<void> {
  const reply = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'Hello!' }] }),
  });
  await reply.text();
  if (reply.status !== 200) throw new Error(`the call before the program was answered ${reply.status}`);
}

/** Follows the console's instructions: writes the files into a home folder of its own and runs the commands there. */
export async function runConnected(
  parts: readonly ConnectPart[],
  { beside = tmpdir(), programs = [], line, mayFail }: ConnectRun,
): Promise<string> {
  const home = mkdtempSync(join(beside, 'connect-'));
  try {
    for (const part of parts) {
      if (part.kind !== 'file') continue;
      const path = join(home, part.path.replace(/^~\//, ''));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, part.text);
    }
    const lines = parts.flatMap((part) => (part.kind === 'command' ? part.text.split('\n') : []));
    const commands = lines.filter((text) => !/^(pip|npm) install /.test(text)).join('\n');
    const { PATH = '' } = process.env;
    const child = spawn('/bin/sh', ['-ec', line ?? commands], {
      cwd: home,
      // Nothing of the machine's own configuration reaches the program.
      env: { HOME: home, LANG: 'C.UTF-8', PATH: [...programs, PATH].join(':'), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: RUN_TIMEOUT_MS,
    });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0 && mayFail !== true)
      throw new Error(`the program ended with ${code}:\n${output.join('').slice(-4_000)}`);
    return output.join('');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
