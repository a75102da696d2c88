import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { renderErrors, renderOptions } from '../../scripts/render-docs.mjs';
import { ERROR_CATALOGUE } from '../../server/common/errors/error-catalogue.js';
import { OPTION_CATALOGUE } from '../../server/modules/options/option-catalogue.js';
import { OPENAI_ERROR_ROWS } from '../../server/relay-core/dialects/openai-error.js';

const committed = (name: string) => readFile(join(import.meta.dirname, '../../docs', name), 'utf8');

describe('documents made from the code (npm run build && node scripts/generate-docs.mjs)', () => {
  it('docs/options.md names every option as the catalogue has it', async () => {
    expect(await committed('options.md')).toBe(renderOptions(OPTION_CATALOGUE));
  });

  it('docs/errors.md names every refusal as the catalogues have it', async () => {
    expect(await committed('errors.md')).toBe(renderErrors(ERROR_CATALOGUE, OPENAI_ERROR_ROWS));
  });

  it('sees a change', () => {
    const row = { status: 404, en: 'Gone', zh: '不在' };
    expect(renderErrors({ gone: row }, {})).toContain('| `gone` | 404 | Gone | 不在 |');
    expect(renderErrors({ gone: { ...row, en: 'Away' } }, {})).not.toBe(renderErrors({ gone: row }, {}));
  });
});
