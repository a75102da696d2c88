import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiTypes } from '../../scripts/api-types.mjs';
import { renderRouteTable } from '../../server/http/route-access-table.js';
import { createOpenApi } from '../../server/http/api-docs.js';
import { startTestApp, type TestApp } from '../support/build-test-app.ts';

const root = join(import.meta.dirname, '../..');
const committed = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('documents of the API (npm run docs)', () => {
  let app: TestApp;
  let noConsole: string;
  beforeAll(async () => {
    noConsole = mkdtempSync(join(tmpdir(), 'tollgate-drift-'));
    app = await startTestApp({ consoleDir: noConsole });
  });
  afterAll(async () => {
    await app.close();
    rmSync(noConsole, { recursive: true, force: true });
  });

  it('docs/openapi.json is what the program describes', () => {
    expect(JSON.parse(committed('docs/openapi.json'))).toEqual(
      JSON.parse(JSON.stringify(createOpenApi(app.app))),
    );
  });

  it('docs/routes.md, which people review, is the route table', () => {
    expect(committed('docs/routes.md')).toBe(renderRouteTable(app.accessTable));
  });

  it('console/src/api/schema.d.ts is made from the document', async () => {
    const types = await apiTypes(committed('docs/openapi.json'));
    expect(committed('console/src/api/schema.d.ts')).toContain(types);
  });

  it('every operation documents its answer, and no answer schema names a secret', () => {
    const document = createOpenApi(app.app);
    const bare = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, { responses?: Record<string, { content?: unknown }> }>)
        .filter(([, operation]) => operation.responses?.['200']?.content === undefined)
        .map(([method]) => `${method} ${path}`),
    );
    expect(bare).toEqual([]);
    const names = JSON.stringify(document.components?.schemas);
    expect(names).not.toMatch(
      /access_token_digest|passwordHash|key_encrypted|key_digest|"webhook_secret":\{"type":"string"\},"id"/,
    );
  });
});
