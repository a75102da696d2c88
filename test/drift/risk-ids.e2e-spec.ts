import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readTests } from '../../scripts/read-tests.mjs';
import { filesByRisk, withRisks } from '../../scripts/render-testing.mjs';
import { isRisk, risksIn } from '../../scripts/risk-ids.mjs';

const ROOT = join(import.meta.dirname, '../..');
const tests = readTests(ROOT);

describe('risks that tests are named after', () => {
  it('exist', () => {
    const unknown = [...filesByRisk(tests)]
      .filter(([risk]) => !isRisk(risk))
      .map(([risk, files]) => `${risk} in ${[...files].join(', ')}`);
    expect(unknown).toEqual([]);
  });

  it('distinguishes them from similar texts', () => {
    expect(risksIn('UTF-8, SSH-2 and AUTH-03, F-12a; TOK-101 XAUTH-04 AUTH-0311 AUTH-3')).toEqual([
      'AUTH-03',
      'F-12a',
      'TOK-101',
    ]);
    expect(['AUTH-03', 'F-12a', 'TOK-101', 'AUTH-119'].map(isRisk)).toEqual([true, true, true, true]);
    expect(['AUTH-00', 'AUTH-021', 'AUTH-121', 'WX-02', 'TOK-01x9', 'NET-7'].map(isRisk)).toEqual(
      Array.from({ length: 6 }, () => false),
    );
  });

  it('lists their groups in docs/testing.md (npm run docs)', async () => {
    const page = await readFile(join(ROOT, 'docs/testing.md'), 'utf8');
    expect(page).toBe(withRisks(page));
    expect(withRisks(page.replace('| TOK-01 to', '| TOK-02 to'))).toBe(page);
    expect(() => withRisks('')).toThrow('risks');
  });
});
