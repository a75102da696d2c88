import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { renderOptions } from '../../scripts/render-docs.mjs';
import { renderErrors } from '../../scripts/render-errors.mjs';
import { renderModules, withModules } from '../../scripts/render-modules.mjs';
import { renderProviders } from '../../scripts/render-providers.mjs';
import { renderFormats } from '../../scripts/render-formats.mjs';
import { ERROR_CATALOGUE } from '../../server/common/errors/error-catalogue.js';
import { INVARIANTS } from '../../server/base/billing/checks/invariants.js';
import { OPTION_CATALOGUE, isForRootAlone } from '../../server/base/options/option-catalogue.js';
import { presentOptionFields } from '../../server/console/options/option-fields.js';
import { STATUS_OF_KIND } from '../../server/relay-core/model/status-of-kind.js';
import { REFUSALS, retryAfterOf } from '../../server/relay-core/model/refusals.js';
import { DIALECTS } from '../../server/relay-core/dialects/registry.js';
import { openFramer } from '../../server/relay-core/framing/open-framer.js';
import { ReplyCollector, replyToEvents } from '../../server/relay-core/pipeline/reply/collect-reply.js';
import { CHANNEL_TYPE_NAMES, PROVIDERS } from '../../server/relay-core/providers/registry.js';
import { ROOT_FORMS } from '../../server/relay-core/formats/shared/fields/tool-roots.js';

const ERROR_FACTS = {
  catalogue: ERROR_CATALOGUE,
  kinds: Object.keys(STATUS_OF_KIND),
  dialects: DIALECTS,
  refusals: REFUSALS,
  retryAfterOf,
};
const root = join(import.meta.dirname, '../..');
const committed = (name: string) => readFile(join(root, 'docs', name), 'utf8');

/** `npm run docs -- FILES`, without what npm does before. */
const generate = (...files: string[]) =>
  spawnSync(process.execPath, ['scripts/generate-docs.mjs', ...files], { cwd: root, encoding: 'utf8' });

describe('documents made from the code (npm run docs)', () => {
  it('docs/options.md names every option as the catalogue has it', async () => {
    expect(await committed('options.md')).toBe(renderOptions(OPTION_CATALOGUE, isForRootAlone));
  });

  it('the option fields of console tests are those of the server', async () => {
    const fields = await readFile(join(root, 'console/src/testing/option-fields.json'), 'utf8');
    expect(JSON.parse(fields)).toEqual(JSON.parse(JSON.stringify(presentOptionFields())));
  });

  it('docs/errors.md names every refusal as the catalogues have it', async () => {
    expect(await committed('errors.md')).toBe(renderErrors(ERROR_FACTS));
  });

  it('docs/formats.md names every client API and vendor as the registries have them', async () => {
    const registries = {
      dialects: DIALECTS,
      providers: PROVIDERS,
      names: CHANNEL_TYPE_NAMES,
      rootForms: ROOT_FORMS,
    };
    expect(await committed('formats.md')).toBe(renderFormats(registries));
    expect(renderFormats({ ...registries, providers: PROVIDERS.slice(1) })).not.toBe(
      renderFormats(registries),
    );
  });

  it('docs/providers.md lists the carried members as the formats do', async () => {
    const stream = { openFramer, ReplyCollector, replyToEvents };
    expect(await committed('providers.md')).toBe(
      renderProviders({ dialects: DIALECTS, providers: PROVIDERS, stream }),
    );
  });

  it('docs/architecture.md has the table of modules that lint goes by', async () => {
    const document = await committed('architecture.md');
    expect(document).toBe(withModules(document));
    expect(renderModules({ one: { what: 'x', mayImport: ['two'] } })).toContain('| `server/one` | x | two |');
  });

  it('docs/money.md has the output of money:check', async () => {
    const rows = (await committed('money.md')).matchAll(
      /^\| (I\d+) \| (.+?) \| `server\/base\/billing\/checks\//gm,
    );
    expect(Object.fromEntries([...rows].map(([, id, sentence]) => [id, sentence]))).toEqual(INVARIANTS);
  });

  it('writes the documents that were asked for, and names them all when one is unknown', () => {
    expect(generate('docs/errors.md', 'docs/options.md')).toMatchObject({
      status: 0,
      stdout: '  docs/errors.md: unchanged\n  docs/options.md: unchanged\n',
    });
    const refused = generate('docs/errors.md', 'docs/money.md');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toContain('nothing writes docs/money.md');
    expect(refused.stderr).toContain('docs/openapi.json');
  });

  it('sees a change', () => {
    const row = { status: 404, en: 'Gone', zh: '不在' };
    const withRow = (gone: typeof row) => renderErrors({ ...ERROR_FACTS, catalogue: { gone } });
    expect(withRow(row)).toContain('| `gone` | 404 | Gone | 不在 |');
    expect(withRow({ ...row, en: 'Away' })).not.toBe(withRow(row));
  });
});
