import { describe, expect, it } from '@jest/globals';
import type { Warning } from '../../../model/warning.js';
import { dropRefusedFields } from './drop-refused-members.js';

describe('dropRefusedMembers', () => {
  it('takes refused members out of a body and names each once', () => {
    const body: Record<string, unknown> = { model: 'm', temperature: 0.5, top_p: 1 };
    const warnings: Warning[] = [{ setting: 'top_p', reason: 'known' }];
    dropRefusedFields(body, ['temperature', 'top_p', 'seed'], warnings);
    expect(body).toEqual({ model: 'm' });
    expect(warnings.map(({ setting }) => setting)).toEqual(['top_p', 'temperature']);
  });
});
