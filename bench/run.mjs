import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GATEWAY_CORE, keepLogsIn, OTHER_CORE, stopEverything } from './lib/processes.mjs';
import { markdown, section, writeFigures } from './lib/report.mjs';
import { startMariadb, startRedis } from './lib/stores.mjs';
import { compare } from './compare/compare.mjs';
import { LOADS } from './compare/loads.mjs';
import { profile } from './compare/profile.mjs';
import { concerns, TARGETS, verdict } from './lib/verdicts.mjs';
import { billing } from './parts/billing.mjs';
import { latency } from './parts/latency.mjs';
import { memory } from './parts/memory.mjs';
import { soak } from './parts/soak.mjs';
import { streams } from './parts/streams.mjs';
import { sustained } from './parts/sustained.mjs';
import { translated } from './parts/translated.mjs';
import { longStreams } from './parts/long-streams.mjs';
import { throughput } from './parts/throughput.mjs';
import {
  startBare,
  startGenerator,
  startMock,
  startPortkey,
  startTollgate,
} from './targets/start-targets.mjs';

const USAGE = `npm run bench -- [parts] [options]
npm run bench -- compare REF [--mariadb] [--only LOADS] [--minutes N] [--json FILE]
                                   this build beside another commit's: CPU time of a call, in one run
npm run bench -- profile REF [--mariadb] [--only LOADS] [--logs FOLDER]
                                   CPU profiles of both, and their differences by function

Parts (all but the last, when none is named): memory throughput sustained latency streams translated long-streams
billing soak

  --setup NAMES      which of these, with commas (all):
                       sqlite   SQLite alone
                       strict   Redis + MariaDB, rate windows on: every call asks Redis
                       sliced   Redis + MariaDB, no rate windows: workers hand out slices of hot accounts
                       workers  the same with two workers on the gateway's core
  --rounds N         rounds of each part (13 throughput, 3 sustained, 7 latency, 5 and 3 streams)
  --patience N       how often a disturbed slice runs again (3)
  --streams N        streams open at once in the streams part (1000) and the soak (500)
  --minutes N        length of the soak (60)
  --long-streams N   answers of 600,000 tokens at once in the long-streams part (200)
  --no-peer          leave Portkey out
  --bare-only        only bare and Portkey: tries the method without the product
  --server FOLDER    another build of the server (dist/server)
  --logs FOLDER      keep what every program said
  --json FILE        all figures as JSON
  --write            put the figures into docs/performance-history.md
  --gate             exit 1 when a "must" is missed

Options of compare and profile:
  --mariadb          MariaDB + Redis, every call asking Redis, instead of SQLite alone
  --only LOADS       with commas: ${LOADS.map(({ name }) => name).join(', ')}
  --minutes N        the most that compare takes (10)
  --logs FOLDER      keep the profiles, for the developer tools of a browser
`;

/** Redis + MariaDB, in different ways. */
const SHARED_SETUPS = {
  strict: { label: 'Tollgate, Redis + MariaDB, strict' },
  sliced: { label: 'Tollgate, Redis + MariaDB, slices', hasSlices: true },
  workers: { label: 'Tollgate, slices, two workers', hasSlices: true, workers: 2 },
};

const PARTS = {
  memory,
  throughput,
  sustained,
  latency,
  streams,
  translated,
  'long-streams': longStreams,
  billing,
  soak,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    setup: { type: 'string', default: 'sqlite,strict,sliced,workers' },
    rounds: { type: 'string' },
    patience: { type: 'string', default: '3' },
    streams: { type: 'string' },
    minutes: { type: 'string' },
    'long-streams': { type: 'string', default: '200' },
    'no-peer': { type: 'boolean', default: false },
    'bare-only': { type: 'boolean', default: false },
    server: { type: 'string', default: 'dist/server' },
    logs: { type: 'string' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    gate: { type: 'boolean', default: false },
    mariadb: { type: 'boolean', default: false },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** A whole number above zero, or a clear end. */
function wholeNumber(name) {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^[0-9]+$/.test(text)) fail(`--${name} needs a whole number, not "${text}"`);
  return Number(text);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n\n${USAGE}`);
  process.exit(2);
}

const setups = () => values.setup.split(',').map((name) => name.trim());

const SLICE_S = 3;
const WARM_UP_AT_MOST_S = 45;
/** So many slices without a gain of 5 % end the warming up. */
const FLAT_SLICES = 4;

const say = (line) => process.stderr.write(`${line}\n`);

async function startProducts(folder, mockPort) {
  const products = [];
  const stores = [];
  const server = resolve(values.server);
  const names = setups();
  if (names.includes('sqlite')) {
    products.push(
      await startTollgate({ key: 'sqlite', label: 'Tollgate, SQLite alone', folder, mockPort, server }),
    );
  }
  const shared = names.filter((name) => name !== 'sqlite');
  if (shared.length > 0) {
    const [redis, mariadb] = await Promise.all([startRedis(folder), startMariadb(folder, shared)]);
    stores.push(redis.child, mariadb.child);
    for (const [index, key] of shared.entries()) {
      const urls = { databaseUrl: mariadb.urlOf(key), redisUrl: `${redis.url}/${index}` };
      products.push(await startTollgate({ key, folder, mockPort, server, ...urls, ...SHARED_SETUPS[key] }));
    }
  }
  return { products, stores };
}

/**
 * Loads every target until its CPU time per call stops falling. V8 settles late: what is hot is compiled again with what was
 * learnt, and a gateway measured after ten seconds looks a third dearer than after thirty.
 */
async function warmUp(bench, targets) {
  for (const target of targets) {
    if (bench.warm.has(target.key)) continue;
    bench.warm.add(target.key);
    say(`warming up ${target.label}`);
    let least = Number.POSITIVE_INFINITY;
    let flatSlices = 0;
    for (let second = 0; second < WARM_UP_AT_MOST_S && flatSlices < FLAT_SLICES; second += SLICE_S) {
      const order = { connections: 64, durationMs: SLICE_S * 1000, restMs: 100 };
      const slice = await bench.load('closedLoop', target, { model: 'bench-json' }, order);
      const cost = slice.cpuMicrosecondsPerRequest;
      flatSlices = cost > least * 0.95 ? flatSlices + 1 : 0;
      least = Math.min(least, cost);
    }
  }
}

/** Names of loads given with `--only`, or undefined. */
function wantedLoads() {
  const names = values.only?.split(',').map((name) => name.trim());
  const unknown = names?.filter((name) => !LOADS.some((load) => load.name === name)) ?? [];
  if (unknown.length > 0) fail(`unknown load: ${unknown.join(', ')}`);
  return names;
}

/** `profile REF`: CPU profiles of both builds, and their differences by function. */
async function profileWith(refs) {
  if (refs.length !== 1) fail('profile needs the other commit, and nothing else');
  return await profile(refs[0], {
    isShared: values.mariadb,
    only: wantedLoads(),
    keepIn: values.logs === undefined ? undefined : resolve(values.logs),
  });
}

/** `compare REF`: this build beside another commit's. */
async function compareWith(refs) {
  if (refs.length !== 1) fail('compare needs the other commit, and nothing else');
  return await compare(refs[0], {
    isShared: values.mariadb,
    minutes: wholeNumber('minutes'),
    only: wantedLoads(),
    json:
      values.json === undefined
        ? undefined
        : (figures) => writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`),
  });
}

async function main() {
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (process.platform !== 'linux' || cpus().length < 2) {
    fail(
      'The bench needs Linux (/proc, taskset) and two cores: the gateway gets one, everything else the other.',
    );
  }
  const [command, ...refs] = positionals;
  if (command === 'compare') return await compareWith(refs);
  if (command === 'profile') return await profileWith(refs);
  const unknown = positionals.filter((part) => !(part in PARTS));
  if (unknown.length > 0) fail(`unknown part: ${unknown.join(', ')}`);
  const strange = setups().filter((name) => name !== 'sqlite' && !(name in SHARED_SETUPS));
  if (strange.length > 0) fail(`unknown set-up: ${strange.join(', ')}`);
  const rounds = wholeNumber('rounds');
  const patience = wholeNumber('patience');
  const streamCount = wholeNumber('streams') ?? 1000;
  const soakStreams = wholeNumber('streams') ?? 500;
  const soakMinutes = wholeNumber('minutes') ?? 60;
  const longStreamCount = wholeNumber('long-streams');
  const parts = Object.keys(PARTS).filter((part) =>
    positionals.length === 0 ? part !== 'soak' : positionals.includes(part),
  );

  if (values.logs !== undefined) keepLogsIn(resolve(values.logs));
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  try {
    say('starting');
    const mock = await startMock();
    const bare = await startBare(mock.port);
    const needsPeer = !values['no-peer'] && parts.includes('throughput');
    const portkey = needsPeer ? await startPortkey(mock.port) : undefined;
    const { products, stores } = values['bare-only']
      ? { products: [], stores: [] }
      : await startProducts(folder, mock.port);
    const generator = await startGenerator();

    const gateways = [bare, ...products, ...(portkey === undefined ? [] : [portkey])];
    const cores = [
      { core: GATEWAY_CORE, pids: gateways.flatMap((gateway) => gateway.pids()) },
      {
        core: OTHER_CORE,
        pids: [mock, generator, ...stores].map((program) => (program.child ?? program).pid),
      },
    ];
    const measurements = new Map();
    const reports = new Map();
    const bench = {
      mock,
      bare,
      portkey,
      products,
      rounds,
      patience,
      streamCount,
      soakStreams,
      soakMinutes,
      longStreamCount,
      say,
      warm: new Set(['direct']),
      load: (kind, target, wish, order) =>
        generator.run(kind, {
          port: target.port,
          calls: target.calls(wish),
          pids: target.pids(),
          cores,
          ...order,
        }),
      warmUp: (targets) => warmUp(bench, targets),
      measured: (target, figure, value) => measurements.set(`${target.key} ${figure}`, value),
      report: (name, report) => {
        reports.set(name, report);
        say(`\n${section(name, report)}\n`);
      },
    };
    for (const part of parts) await PARTS[part](bench);

    const command = ['npm run bench', process.argv.slice(2).join(' ')].filter(Boolean).join(' -- ');
    const about =
      `Made by \`${command}\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores ` +
      `(${cpus()[0].model.trim()}), Node ${process.versions.node}, the gateway on one core, everything else on the other. ` +
      'Medians with the middle half of the rounds.';
    const text = markdown({ products, measurements, reports, about });
    process.stdout.write(`${text}\n`);
    if (values.json !== undefined) {
      const all = {
        about,
        measurements: Object.fromEntries(measurements),
        reports: Object.fromEntries(reports),
      };
      await writeFile(values.json, `${JSON.stringify(all, null, 2)}\n`);
    }
    if (values.write) {
      await writeFigures(fileURLToPath(new URL('../docs/performance-history.md', import.meta.url)), text);
      say('docs/performance-history.md written');
    }
    const missed = TARGETS.filter((target) =>
      products.some((product) => {
        if (!concerns(target, product.key)) return false;
        const figure = measurements.get(`${product.key} ${target.figure}`);
        return figure !== undefined && verdict(target, figure.median) === 'missed';
      }),
    );
    for (const target of missed) say(`missed: ${target.measure}`);
    return values.gate && missed.length > 0 ? 1 : 0;
  } finally {
    await stopEverything();
    await rm(folder, { recursive: true, force: true });
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    void stopEverything().then(() => process.exit(130));
  });
}

process.exit(await main());
