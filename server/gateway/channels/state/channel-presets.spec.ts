import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../../common/errors/domain-error.js';
import { checkVendorSettings, documentsToLookAt } from './channel-documents.js';
import { addressWithPreset, presetOfColumns, withoutPreset } from './channel-presets.js';

const refusalOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'nothing refused';
};

const groq = '{"preset":"groq"}';
const NO_DOCUMENTS = {
  model_mapping: '',
  status_code_mapping: '',
  param_override: '',
  header_override: '',
  setting: '',
};

describe('the preset of a channel', () => {
  it('gives its address to a channel that names none, and leaves one that does', () => {
    expect(addressWithPreset({ type: 1, baseUrl: '', settings: groq })).toBe('https://api.groq.com/openai');
    expect(addressWithPreset({ type: 1, baseUrl: 'http://own', settings: groq })).toBe('http://own');
  });

  it('requires an address when each operator has one of their own', () => {
    expect(refusalOf(() => addressWithPreset({ type: 1, baseUrl: '', settings: '{"preset":"vllm"}' }))).toBe(
      'channel_base_url_required',
    );
  });

  it('finds none for a channel of another type, or of a preset that is gone', () => {
    for (const [type, settings] of [
      [14, groq],
      [1, '{"preset":"gone"}'],
      [1, ''],
      [1, null],
    ] as const) {
      expect(presetOfColumns({ type, settings })).toBeUndefined();
      expect(addressWithPreset({ type, baseUrl: '', settings })).toBe('');
    }
  });

  it('refuses an unknown one that is typed, and keeps one that was stored', () => {
    expect(checkVendorSettings(groq)).toBe(groq);
    const gone = '{"preset":"gone"}';
    expect(refusalOf(() => checkVendorSettings(gone))).toBe('channel_document_value');
    expect(checkVendorSettings(gone, gone)).toBe(gone);
  });

  it('gives no reason to review a channel whose preset is gone', () => {
    expect(documentsToLookAt({ ...NO_DOCUMENTS, settings: '{"preset":"gone"}' })).toEqual([]);
    expect(withoutPreset('{"preset":"gone","disable_store":true}')).toBe('{"disable_store":true}');
  });
});
