import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { answerJson } from '../vendors/media/scripted-vendor.js';
import { object, SPENT } from '../../support/strict-vendors/story.js';
import { addVendor, modelOf, openAgentFixture, type AgentFixture } from './agents/agent.fixture.js';
import type { Cell } from './cell.js';
import { UPSTREAMS } from './tried-clients.js';
import { scenarioDocument, storyOf } from './scenarios.js';

const EMBEDDING_MODELS = { chat: 'text-embedding-3-small', gemini: 'gemini-embedding-001' } as const;
const VECTOR = [0.25, -0.5, 1];

/** A gateway before strict vendors that play the scenarios. */
export interface ClientFixture {
  readonly fixture: AgentFixture;
  /** Runs a program and gives the cells it printed. Fails: when it ends with another code than 0. */
  run(program: readonly string[], environment?: Readonly<Record<string, string>>): Promise<readonly Cell[]>;
  close(): Promise<void>;
}

export async function openClientFixture(): Promise<ClientFixture> {
  const fixture = await openAgentFixture(storyOf);
  await serveEmbeddings(fixture);
  const settings = JSON.stringify({
    ...scenarioDocument(),
    url: fixture.url,
    key: fixture.key,
    models: Object.fromEntries(UPSTREAMS.map((upstream) => [upstream, modelOf(upstream)])),
    embeddingModels: EMBEDDING_MODELS,
  });
  return {
    fixture,
    run: (program, environment = {}) => runProgram(program, { ...environment, CLIENT_SETTINGS: settings }),
    close: () => fixture.close(),
  };
}

async function serveEmbeddings(fixture: AgentFixture): Promise<void> {
  const { chat, gemini } = fixture.vendors;
  chat.vendor.on('/v1/embeddings', (request, response) => {
    const { input, model } = object(JSON.parse(request.body.toString('utf8')));
    const texts = Array.isArray(input) ? input : [input];
    answerJson(response, {
      object: 'list',
      model,
      data: texts.map((_text, index) => ({ object: 'embedding', index, embedding: VECTOR })),
      usage: { prompt_tokens: 4, total_tokens: 4 },
    });
  });
  gemini.vendor.on(`/v1beta/models/${EMBEDDING_MODELS.gemini}:batchEmbedContents`, (request, response) => {
    const { requests } = object(JSON.parse(request.body.toString('utf8')));
    const asked = Array.isArray(requests) ? requests : [];
    answerJson(response, { embeddings: asked.map(() => ({ values: VECTOR })) });
  });
  const models = Object.values(EMBEDDING_MODELS);
  await fixture.admin.setOptions({
    ModelRatio: Object.fromEntries(
      [...UPSTREAMS.map(modelOf), ...models].map((model): [string, number] => [model, 1]),
    ),
  });
  await addVendor(fixture.admin, 'chat', chat.url, { models: [EMBEDDING_MODELS.chat] });
  await addVendor(fixture.admin, 'gemini', gemini.url, { models: [EMBEDDING_MODELS.gemini] });
}

async function runProgram(
  [command = '', ...words]: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<readonly Cell[]> {
  const child = spawn(command, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const cells: Cell[] = [];
  let complaints = '';
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (complaints = (complaints + text).slice(-8_000)));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  for await (const line of createInterface(child.stdout))
    if (line.startsWith('{')) cells.push(JSON.parse(line) as Cell);
  const code = await ended;
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${complaints}`);
  return cells;
}

/** Fault of a cell, usage included; undefined = none. */
export function faultOf({ scenario, upstream, isRight, detail, usage }: Cell): string | undefined {
  if (!isRight) return `${scenario}: ${detail ?? 'no word'}`;
  const written = upstream === 'messages' ? SPENT.written : 0;
  const wanted = [SPENT.fresh + SPENT.cached + written, SPENT.output];
  if (usage == null || JSON.stringify(usage) === JSON.stringify(wanted)) return undefined;
  return `${scenario}: usage ${JSON.stringify(usage)} instead of ${JSON.stringify(wanted)}`;
}
