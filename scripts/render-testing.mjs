/** docs/testing.md: what each folder of tests proves, and which file names which risk. Built-in modules only. */
import { RISK_GROUPS, riskId, risksIn } from './risk-ids.mjs';

const FOLDERS = [
  [
    '`server/**/*.spec.ts`',
    'unit',
    'pure rules, codecs, framings, stages of the pipeline, each beside its code',
  ],
  ['`bench/**/*.spec.ts`', 'unit', 'how the bench compares figures and reads CPU profiles'],
  [
    '`test/golden`',
    'integration',
    'every dialect against every vendor: what is carried, byte for byte, cut at every byte',
  ],
  [
    '`test/e2e/base`, `gateway`, `console`',
    'integration',
    'one folder for each module, of the same name: its routes over HTTP, on SQLite, MariaDB and PostgreSQL where storage matters',
  ],
  [
    '`test/e2e/specification`',
    'integration',
    'options, sentences and fields as the specification has them; a console of May 2025, request by request',
  ],
  [
    '`test/e2e/access-matrix`',
    'integration',
    'every route with every kind of caller, and with what belongs to others',
  ],
  [
    '`test/e2e/gateway/relay`, `clients`, `vendors`',
    'integration',
    'calls through the built gateway, by official packages and by raw sockets',
  ],
  [
    '`test/e2e/clients/*.ts`, `compiled`',
    'integration, clients',
    'packages of Python and Node over vendors that refuse what the real ones refuse; those of Go, Java and Rust with `npm run test:clients`',
  ],
  [
    '`test/e2e/base/billing`',
    'integration',
    'holds, settlements and books under concurrency, with processes killed and stores lost',
  ],
  [
    '`test/e2e/infra`, `http`, `process`',
    'integration',
    'what `server/infra/*`, `server/http` and `server/process` do: migrations and drivers, both shared stores (`test/support/contracts`), connections, starting and stopping',
  ],
  [
    '`test/simulator`',
    'integration',
    'a world of its own from a seed; `npm run money:simulate` walks it for longer',
  ],
  [
    '`test/fuzz`, `test/replay`',
    'integration',
    'mutated requests and answers; recorded answers read directly and through the gateway',
  ],
  [
    '`test/chaos`',
    'integration',
    'the fault catalogue on two instances behind nginx; `npm run chaos` has all of it',
  ],
  [
    '`test/e2e/infra/observability`',
    'integration',
    'metrics, logs and traces of a running gateway; dashboard and alert rules name what there is',
  ],
  ['`test/docker`', 'integration', 'the shipped nginx configuration in a real nginx'],
  ['`test/drift`', 'integration', 'documents, generated code, import rules and lists say what the code says'],
  ['`console/src/**/*.spec.tsx`', 'console', 'every screen on a scripted API, by role and label'],
  [
    '`test/browser`',
    'browser',
    'journeys in a real Chromium in both languages; every screen for contrast, names, width and text keys',
  ],
];

const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/**
 * @param {readonly {path: string, text: string}[]} files tests, in any order
 * @returns {Map<string, Set<string>>} risk → files whose texts quote it
 */
export function filesByRisk(files) {
  const found = new Map();
  for (const { path, text } of files) {
    for (const risk of risksIn((text.match(STRING) ?? []).join('\n'))) {
      const name = risk.replace(/[a-z]$/, '');
      found.set(name, (found.get(name) ?? new Set()).add(path));
    }
  }
  return found;
}

const link = (path) => `[${path.replace(/^.*\//, '')}](../${path})`;
const numbered = (risk) => Number(risk.split('-')[1]);

/** What people look for, and the test that says most about it. */
const SUBJECTS = [
  ['signing in, session cookies', 'test/e2e/base/auth/sign-in.e2e-spec.ts'],
  ['who may call which route', 'test/e2e/access-matrix/levels.e2e-spec.ts'],
  ['whose rows a route reads', 'test/e2e/access-matrix/owners.e2e-spec.ts'],
  [
    'what a usage costs',
    'server/base/pricing/calculate-quota.spec.ts',
    'server/base/pricing/price-parts.spec.ts',
  ],
  ['that every kind of token has its price', 'server/base/pricing/every-usage-part.spec.ts'],
  ['from a call to its charge', 'test/e2e/console/pricing/charged-calls.e2e-spec.ts'],
  ['how calls end', 'test/e2e/gateway/relay/endings.e2e-spec.ts'],
  ['a client that leaves', 'test/e2e/base/billing/client-aborts.e2e-spec.ts'],
  [
    'kill -9, Redis lost',
    'test/e2e/gateway/relay/money-crash.e2e-spec.ts',
    'test/e2e/vendors/killed-while-streaming.e2e-spec.ts',
    'test/e2e/console/operations/two-instances.e2e-spec.ts',
    'test/e2e/infra/shared-store/store-loss.e2e-spec.ts',
  ],
  ['a database that is late or away', 'test/e2e/infra/database/late-database.e2e-spec.ts'],
  ['how a channel is chosen', 'server/gateway/channels/routing/cached-channel-picker.spec.ts'],
  ['when a call is tried again', 'server/relay-core/pipeline/run-call.spec.ts'],
  ['translation of streams', 'test/golden/streams-equal-wholes.e2e-spec.ts'],
  ['pings, time-outs of a reply', 'server/relay-core/pipeline/reply/reply-times.spec.ts'],
  ['limits of calls', 'test/e2e/gateway/relay/limits-on-every-route.e2e-spec.ts'],
  ['hostile input', 'test/e2e/http/bad-input.e2e-spec.ts'],
  ['secrets in logs', 'server/infra/observability/redact.spec.ts'],
  ['the usage log as a file', 'test/e2e/console/logs/log-export.e2e-spec.ts'],
  ['realtime sessions', 'test/e2e/vendors/realtime/realtime.e2e-spec.ts'],
  ['alerts', 'test/e2e/console/operations/every-rule.e2e-spec.ts'],
  ['migrations', 'test/e2e/infra/database/migrations.e2e-spec.ts'],
  [
    'restarts and versions side by side',
    'test/e2e/process/rolling-restart.e2e-spec.ts',
    'test/e2e/infra/shared-store/older-version.e2e-spec.ts',
  ],
  ['how pages look', 'test/browser/looks.spec.ts'],
];

/** What a test may need, the helper that has it (a file of test/support), and a test that shows it. */
const HELPERS = [
  [
    'the application in the process of the test, and its root',
    '`startTestApp`, `setUpRoot`, `signUp`',
    'build-test-app.ts',
    'test/e2e/base/auth/sign-in.e2e-spec.ts',
  ],
  [
    'the built gateway as a process that may be killed',
    '`GatewayProcess.start`, `kill`, `stop`',
    'gateway-process.ts',
    'test/e2e/vendors/killed-while-streaming.e2e-spec.ts',
  ],
  [
    'two instances',
    'either of these twice, with one `databaseUrl` and one `redisUrl`',
    'gateway-process.ts',
    'test/e2e/console/operations/two-instances.e2e-spec.ts',
  ],
  [
    'SQLite, MariaDB, PostgreSQL',
    '`createTestDatabase`, `DATABASE_KINDS`',
    'database.ts',
    'test/e2e/console/redemptions/redemptions.e2e-spec.ts',
  ],
  [
    'Redis that others use, too',
    '`testRedisUrl`: a numbered database of it',
    'redis.ts',
    'test/e2e/infra/shared-store/older-version.e2e-spec.ts',
  ],
  [
    'a Redis of its own, to be stopped, paused or emptied',
    '`startRedis`',
    'redis.ts',
    'test/e2e/infra/shared-store/store-loss.e2e-spec.ts',
  ],
  [
    'Redis Cluster, Sentinel',
    '`startRedisCluster`, `startRedisSentinels`',
    'redis-groups.ts',
    'test/e2e/infra/shared-store/shared-store.e2e-spec.ts',
  ],
  [
    'a vendor that answers as the test says',
    '`FakeUpstream`, `on`, `holdAnswers`',
    'fake-upstream.ts',
    'test/e2e/gateway/relay/half-closed.e2e-spec.ts',
  ],
  [
    'a stream that is open, slow or left',
    '`RelayClient.openStream`, `readEvents`, `leave`',
    'relay-client.ts',
    'test/e2e/gateway/relay/endings.e2e-spec.ts',
  ],
  [
    'channels, keys, options of a gateway',
    '`GatewayConsole`',
    'gateway-console.ts',
    'test/e2e/gateway/relay/money-crash.e2e-spec.ts',
  ],
  ['waiting', '`until`, `untilFound`', 'until.ts', 'test/e2e/console/operations/two-instances.e2e-spec.ts'],
  [
    'a clock of the test',
    '`FakeClock`',
    'fake-clock.ts',
    'server/base/auth/verification/one-time-codes.spec.ts',
  ],
  [
    'a clock that can be moved while real time passes',
    '`ShiftedClock`',
    'shifted-clock.ts',
    'test/e2e/base/auth/sessions.e2e-spec.ts',
  ],
  [
    'the books are right',
    '`GatewayProcess.checkMoney`',
    'gateway-process.ts',
    'test/e2e/vendors/killed-while-streaming.e2e-spec.ts',
  ],
  [
    'workers and books without HTTP',
    '`Books`, `Worker`, `Crew`',
    'fixtures/money.fixture.ts',
    'test/e2e/base/billing/slices.e2e-spec.ts',
  ],
  ['letters', '`startMailServer`', 'mail-server.ts', 'test/e2e/base/notifications/mail/mailer.e2e-spec.ts'],
  [
    'webhooks',
    '`startWebhookReceiver`',
    'webhook-receiver.ts',
    'test/e2e/base/notifications/notifications.e2e-spec.ts',
  ],
  [
    'rows as they are stored',
    '`userRow`, `tokenRow`, `channelRow`, `orderRow`',
    'stored-rows.ts',
    'server/gateway/channels/state/channel-snapshot.spec.ts',
  ],
  ['a port', '`freePort`', 'free-port.mjs', 'test/e2e/infra/shared-store/redis-misfit.e2e-spec.ts'],
];

/** @param {readonly {path: string, text: string}[]} files tests */
export function renderTesting(files) {
  const byRisk = filesByRisk(files);
  const codes = [...new Set(RISK_GROUPS.map(({ code }) => code))];
  const sections = codes.flatMap((code) => {
    const risks = [...byRisk.keys()]
      .filter((risk) => risk.startsWith(`${code}-`))
      .toSorted((a, b) => numbered(a) - numbered(b) || a.localeCompare(b));
    return risks.map((risk) => `| ${risk} | ${[...byRisk.get(risk)].toSorted().map(link).join(', ')} |`);
  });
  return [
    '# Testing',
    '',
    '`npm test` runs everything on real servers: it starts MariaDB, PostgreSQL, Redis, nginx and Chromium by itself and needs no network.',
    'Packages of clients are the exception: where they are out of reach they are left out, and the run says so. It prints each file',
    'with its time, every failure in full, then the slowest tests, what failed once more, and as its last line `N passed, M failed`.',
    '',
    '| Command | Runs |',
    '|---|---|',
    '| `npm test -- unit console` | parts: lint, unit, integration, console, browser, and clients, which runs only when named |',
    '| `npm test -- token-rules` | the test file of this name, else those of any part with it in their path; several patterns, folders and whole paths do too |',
    '| `npm test -- integration tokens -t "TOK-101"` | only the files of one part, only the tests whose title matches |',
    '| `npm run test:unit` | every unit test: no server, no build, a minute and a half |',
    '| `npm run test:clients` | packages of Go, Java and Rust, of the languages whose tool chain is there |',
    '| `npm run lint -- FILES` | types of the whole server or console, whichever they belong to; the other checks of these files and folders |',
    '',
    'The product is built only for the parts that start it (integration, clients, browser), and only when it is stale. Nothing runs twice:',
    'a test that fails beside all the others has failed.',
    '',
    'Two cores are enough. Lint and unit tests run side by side, integration tests on four workers, since many of them wait for',
    'programs; the long files come first. What programs compile is kept in `node_modules/.cache`, so that the hundreds of',
    'starts cost half; a worker that has grown past 1.5 GB is replaced. Databases and data folders of a run lie in memory (`/dev/shm`, at most',
    '0.7 GB) where 6 GB are free there and 12 in all: a fifth of the time.',
    '',
    'All but the browser tests are ordinary Jest: each file has modules and globals of its own, so one file leaves nothing to the next. Loading',
    'the application costs a file about a second of CPU. Console tests write styles beside the page of jsdom, whose queries by role would read',
    'every rule otherwise (`console/src/testing/render.tsx`).',
    '',
    'Longer runs of the same code: `npm run chaos -- all` (every fault), `npm run soak` (an hour of load), `npm run money:simulate -- --seed 7 --steps 200000`,',
    '`LOOKS=all npm test -- browser` (every screen in every crossing of language, theme and width), `npm run bench`.',
    '',
    '## What proves what',
    '',
    '| Where | Part | What |',
    '|---|---|---|',
    ...FOLDERS.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    'Where to begin, by subject:',
    '',
    '| Subject | Test |',
    '|---|---|',
    ...SUBJECTS.map(([subject, ...paths]) => `| ${subject} | ${paths.map(link).join(', ')} |`),
    '',
    'What a test may need is in `test/support`:',
    '',
    '| Need | Helper | File | Shown in |',
    '|---|---|---|---|',
    ...HELPERS.map(
      ([need, helper, file, test]) =>
        `| ${need} | ${helper} | ${link(`test/support/${file}`)} | ${link(test)} |`,
    ),
    '',
    'Rules: a test waits for conditions and events, never for time; databases, Redis and browsers are real; clocks are the',
    "test's own where time matters; refusals come first; a test that cannot fail is removed.",
    '',
    '## Risks',
    '',
    'Tests name the risks they rule out. Numbers up to 99 are attacks and faults; those from 101 are mistakes of comparable consoles that',
    'must not come back. A number without a row below has no test that names it.',
    '',
    '| Code | About |',
    '|---|---|',
    ...RISK_GROUPS.map(({ code, title, first, last }) => {
      const range = last > first ? `${riskId(code, first)} to ${riskId(code, last)}` : riskId(code, first);
      return `| ${range} | ${first === 1 ? title : `mistakes of comparable consoles: ${title}`} |`;
    }),
    '',
    '| Risk | Tests |',
    '|---|---|',
    ...sections,
    '',
    'Generated from the tests by `npm run docs`.',
    '',
  ].join('\n');
}
