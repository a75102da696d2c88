/**
 * `npm run api`: docs/openapi.json, docs/routes.md and docs/metrics.md from the running program, console/src/api/schema.d.ts from the document.
 * With a folder as its argument it writes there instead (the drift test compares), with `--modules FOLDER` it uses another build.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { apiTypes } from './api-types.mjs';
import { renderMetrics } from './render-metrics.mjs';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  options: { modules: { type: 'string' } },
  allowPositionals: true,
});
const target = positionals[0] === undefined ? root : resolve(positionals[0]);
const modules = resolve(values.modules ?? join(root, 'dist/modules'));

const load = (file) => import(pathToFileURL(join(modules, file)).href);
const [{ assembleApp }, { createOpenApi }, { readEnv }, { renderRouteTable }] = await Promise.all(
  ['build-app.js', 'http/openapi.js', 'config/env.js', 'http/route-access-table.js'].map(load),
);
const [{ Metrics }, { SUPERVISOR_FIGURES }] = await Promise.all(
  ['infra/observability/metrics.js', 'process/supervisor/gather-metrics.js'].map(load),
);

const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-api-'));
const { app, accessTable } = await assembleApp(
  readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'error', PORT: '0' }),
  {
    consoleDir: join(dataDir, 'no-console'),
  },
);
try {
  const document = createOpenApi(app);
  write('docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
  write('docs/routes.md', renderRouteTable(accessTable()));
  const figures = await app.get(Metrics, { strict: false }).describe();
  write('docs/metrics.md', renderMetrics(figures, SUPERVISOR_FIGURES));
  const types = await apiTypes(document);
  write(
    'console/src/api/schema.d.ts',
    `// Generated from docs/openapi.json by "npm run api". Do not edit.\n\n${types}`,
  );
} finally {
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
}

function write(path, text) {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
