/**
 * `npm run docs`: everything in docs/ and in the console that is written from the code.
 * `npm run docs -- FILES...`: of these files only. The sources are loaded as they are, so nothing has to be built.
 */
import '../test/support/register-typescript.mjs';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const server = (path) => import(`../server/${path}`);

/** Made once, for the first document that asks. */
function once(make) {
  let made;
  return () => (made ??= make());
}

const tests = once(async () => (await import('./read-tests.mjs')).readTests(root));

const registries = once(async () => {
  const [{ DIALECTS }, { PROVIDERS, CHANNEL_TYPE_NAMES }] = await Promise.all([
    server('relay-core/dialects/registry.ts'),
    server('relay-core/providers/registry.ts'),
  ]);
  return { dialects: DIALECTS, providers: PROVIDERS, names: CHANNEL_TYPE_NAMES };
});

/** Facts a running program returns about itself. */
const program = once(async () => {
  const [{ assembleApp }, { createOpenApi }, { readEnv }, { renderRouteTable }, { Metrics }] =
    await Promise.all([
      server('build-app.ts'),
      server('http/api-docs.ts'),
      server('config/env.ts'),
      server('http/route-access-table.ts'),
      server('infra/observability/metrics.ts'),
    ]);
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-docs-'));
  const env = readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'error', PORT: '0' });
  const { app, accessTable } = await assembleApp(env, { consoleDir: join(dataDir, 'no-console') });
  try {
    return {
      document: createOpenApi(app),
      routes: renderRouteTable(accessTable()),
      metrics: await app.get(Metrics, { strict: false }).describe(),
    };
  } finally {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** The text of each file. */
const DOCUMENTS = {
  'docs/openapi.json': async () => `${JSON.stringify((await program()).document, null, 2)}\n`,
  'docs/routes.md': async () => (await program()).routes,
  'docs/metrics.md': async () => {
    const { renderMetrics } = await import('./render-metrics.mjs');
    const { SUPERVISOR_METRICS } = await server('process/supervisor/gather-metrics.ts');
    return renderMetrics((await program()).metrics, SUPERVISOR_METRICS);
  },
  'console/src/api/schema.d.ts': async () => {
    const { apiTypes } = await import('./api-types.mjs');
    const types = await apiTypes((await program()).document);
    return `// Generated from docs/openapi.json by "npm run docs". Do not edit.\n\n${types}`;
  },
  'console/src/testing/option-fields.json': async () => {
    const { presentOptionFields } = await server('console/options/option-fields.ts');
    return `${JSON.stringify(presentOptionFields(), null, 2)}\n`;
  },
  'docs/options.md': async () => {
    const { renderOptions } = await import('./render-docs.mjs');
    const { OPTION_CATALOGUE } = await server('base/options/option-catalogue.ts');
    const { isForRootAlone } = await server('base/options/option-catalogue.ts');
    return renderOptions(OPTION_CATALOGUE, isForRootAlone);
  },
  'docs/errors.md': async () => {
    const { renderErrors } = await import('./render-errors.mjs');
    const { ERROR_CATALOGUE } = await server('common/errors/error-catalogue.ts');
    const { STATUS_OF_KIND } = await server('relay-core/model/status-of-kind.ts');
    const { REFUSALS, retryAfterOf } = await server('relay-core/model/refusals.ts');
    return renderErrors({
      catalogue: ERROR_CATALOGUE,
      kinds: Object.keys(STATUS_OF_KIND),
      dialects: (await registries()).dialects,
      refusals: REFUSALS,
      retryAfterOf,
    });
  },
  'docs/formats.md': async () => {
    const { renderFormats } = await import('./render-formats.mjs');
    const { ROOT_FORMS } = await server('relay-core/formats/shared/fields/tool-roots.ts');
    return renderFormats({
      ...(await registries()),
      rootForms: ROOT_FORMS,
    });
  },
  'docs/providers.md': async () => {
    const { renderProviders } = await import('./render-providers.mjs');
    const { replyToEvents, ReplyCollector } = await server('relay-core/pipeline/reply/collect-reply.ts');
    const { openFramer } = await server('relay-core/framing/open-framer.ts');
    return renderProviders({
      ...(await registries()),
      stream: { replyToEvents, ReplyCollector, openFramer },
    });
  },
  'docs/testing.md': async () => (await import('./render-testing.mjs')).withRisks(read('docs/testing.md')),
  'docs/specification.md': async () => {
    const { readDecisions, readLists, renderSpecification } = await import('./render-specification.mjs');
    return renderSpecification(readLists(root), await tests(), readDecisions(root));
  },
  'docs/architecture.md': async () =>
    (await import('./render-modules.mjs')).withModules(read('docs/architecture.md')),
  'docs/clients.md': async () =>
    (await import('../test/e2e/clients/matrix.ts')).withMatrix(read('docs/clients.md')),
};

const asked = process.argv.slice(2).map((word) => relative(root, resolve(word)).replaceAll('\\', '/'));
const unknown = asked.filter((path) => DOCUMENTS[path] === undefined);
if (unknown.length > 0) {
  process.stderr.write(
    `docs: nothing writes ${unknown.join(' or ')}. Written from the code are:\n` +
      Object.keys(DOCUMENTS)
        .map((path) => `  ${path}\n`)
        .join(''),
  );
  process.exit(1);
}

for (const path of asked.length === 0 ? Object.keys(DOCUMENTS) : asked) {
  const text = await DOCUMENTS[path]();
  const isChanged = read(path) !== text;
  if (isChanged) writeFileSync(join(root, path), text);
  process.stdout.write(`  ${path}: ${isChanged ? 'written' : 'unchanged'}\n`);
}
