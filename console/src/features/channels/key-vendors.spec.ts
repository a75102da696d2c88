import { describe, expect, it } from '@jest/globals';
import { aChannelPreset, aChannelType } from '../../testing/builders';
import { byBeginning, freeName, keyVendors, markOf, vendorOfKey } from './key-vendors';

const VENDORS = keyVendors(
  [
    aChannelType({ key_prefixes: ['sk-proj-'] }),
    aChannelType({ code: 8, name: 'Custom', base_url: '', needs_base_url: true }),
    aChannelType({ code: 14, name: 'Anthropic', key_prefixes: ['sk-ant-'] }),
    aChannelType({ code: 20, name: 'OpenRouter', key_prefixes: ['sk-or-'] }),
    aChannelType({ code: 24, name: 'Gemini', key_prefixes: ['AIza'] }),
    aChannelType({ code: 27, name: 'Perplexity', key_prefixes: ['pplx-'] }),
    aChannelType({ code: 41, name: 'Vertex AI', key_format: 'json', key_document_type: 'service_account' }),
    aChannelType({ code: 48, name: 'xAI', key_prefixes: ['xai-'] }),
    aChannelType({ code: 99, name: 'Retired', is_offered: false }),
  ],
  [
    aChannelPreset(),
    aChannelPreset({ id: 'nvidia', name: 'NVIDIA NIM', key_prefix: 'nvapi-' }),
    aChannelPreset({ id: 'huggingface', name: 'Hugging Face', key_prefix: 'hf_' }),
    aChannelPreset({ id: 'openrouter', name: 'OpenRouter', key_prefix: 'sk-or-' }),
    aChannelPreset({ id: 'own', name: 'Own server', key_prefix: '' }),
  ],
  'Own address',
);

describe('keyVendors', () => {
  it('lists what is offered by name, and vendors with an address of their own', () => {
    expect(VENDORS.map(({ name }) => name)).toEqual([
      'Anthropic',
      'Gemini',
      'Groq',
      'Hugging Face',
      'NVIDIA NIM',
      'OpenAI',
      'OpenRouter',
      'OpenRouter',
      'Own address',
      'Own server',
      'Perplexity',
      'Vertex AI',
      'xAI',
    ]);
  });
});

describe('vendorOfKey', () => {
  it.each([
    ['sk-ant-api03-abc', 'Anthropic'],
    ['sk-proj-abc', 'OpenAI'],
    ['sk-or-v1-abc', 'OpenRouter'],
    ['  AIzaSyAbc\n', 'Gemini'],
    ['gsk_abc', 'Groq'],
    ['xai-abc', 'xAI'],
    ['pplx-abc', 'Perplexity'],
    ['nvapi-abc', 'NVIDIA NIM'],
    ['hf_abc', 'Hugging Face'],
    ['{"type":"service_account","project_id":"p"}', 'Vertex AI'],
  ])('recognises %j as a key of %s', (key, name) => {
    expect(vendorOfKey(VENDORS, key)?.name).toBe(name);
  });

  it.each(['', 'sk-abc', 'sk-proj-', 'gsk_', '{"type":"authorized_user"}', '{"type":""}', '{', 'my-xai-key'])(
    'leaves the choice to the person for %j',
    (key) => {
      expect(vendorOfKey(VENDORS, key)).toBeUndefined();
    },
  );
});

it('prefers the type of a vendor to a preset with the same beginning of keys', () => {
  expect(vendorOfKey(VENDORS, 'sk-or-v1-abc')?.id).toBe('20');
});

describe('freeName', () => {
  it('numbers a name that is taken with the first number that is free', () => {
    expect(freeName('OpenAI', new Set())).toBe('OpenAI');
    expect(freeName('OpenAI', new Set(['OpenAI', 'OpenAI 2', 'OpenAI 4']))).toBe('OpenAI 3');
  });
});

describe('markOf', () => {
  it.each([
    ['OpenAI', 'OA'],
    ['OpenRouter', 'OR'],
    ['xAI', 'xA'],
    ['AWS Bedrock', 'AB'],
    ['Azure', 'Az'],
    ['01.AI', '01'],
    ['Custom (OpenAI-compatible)', 'CO'],
  ])('stands for %s as %s', (name, mark) => expect(markOf(name)).toBe(mark));
});

describe('byBeginning', () => {
  it('puts names that begin with the text before names that contain it', () => {
    const names = ['Custom (OpenAI-compatible)', 'MidjourneyPlus', 'OpenAI', 'OpenAI Max'];
    expect(byBeginning(names, ' openai ', String)).toEqual([
      'OpenAI',
      'OpenAI Max',
      'Custom (OpenAI-compatible)',
      'MidjourneyPlus',
    ]);
    expect(byBeginning(names, '', String)).toEqual(names);
  });
});
