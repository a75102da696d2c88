import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../../common/errors/domain-error.js';
import { renderSentence, sentence } from '../../../common/import-sentences/sentence.js';
import { ImportStopped } from '../write/import-context.js';
import { faultOf, readFault, storedFault } from './run-fault.js';

describe('failures of runs', () => {
  it('keeps the code of an expected failure', () => {
    expect(faultOf(new ImportStopped(sentence('run_server_stops')))).toEqual(sentence('run_server_stops'));
  });

  it('keeps a refusal with its values, for both languages', () => {
    const fault = readFault(storedFault(faultOf(new DomainError('import_running', { place: 'cellar' }))));
    expect(renderSentence(fault, 'en')).toContain('cellar');
    expect(renderSentence(fault, 'zh')).toContain('cellar 上已有导入');
  });

  it.each([
    [Object.assign(new Error('disk'), { code: 'SQLITE_FULL' }), 'run_database_away'],
    [new Error('odd'), 'run_failed'],
  ])('names what to do after %s', (error, code) => {
    expect(faultOf(error).code).toBe(code);
  });

  it('fits its column whatever the values are, and stays readable', () => {
    const path = '/深'.repeat(600);
    const text = storedFault(sentence('file_not_copied', { path, folder: path, code: 'ENOSPC' }));
    expect(text.length).toBeLessThanOrEqual(500);
    expect(renderSentence(readFault(text), 'zh')).toMatch(/ENOSPC/);
  });

  it('shows a stored text of an earlier version', () => {
    expect(renderSentence(readFault('it broke'), 'en')).toContain('it broke');
  });
});
