import { describe, expect, it } from '@jest/globals';
import { aChannel, aChannelPreset } from '../../testing/builders';
import { chosenValues, presetOfChannel } from './channel-presets';

const GROQ = aChannelPreset({ paths: { responses_path: '/v1/responses' } });
const VLLM = aChannelPreset({ id: 'vllm', name: 'vLLM', base_url: '', models: [] });
const EMPTY = { type: '1', vendor: {}, baseUrl: '', name: '', models: [] };

describe('values of a preset', () => {
  it('fills empty fields', () => {
    expect(chosenValues({ ...EMPTY, type: '14' }, undefined, { type: 1, preset: GROQ })).toEqual({
      type: '1',
      vendor: { responses_path: '/v1/responses', preset: 'groq' },
      baseUrl: 'https://api.groq.com/openai',
      name: 'Groq',
      models: ['llama-3.3-70b-versatile'],
    });
  });

  it('keeps what was typed', () => {
    const typed = {
      ...EMPTY,
      baseUrl: 'http://own',
      name: 'Mine',
      models: ['m'],
      vendor: { disable_store: true },
    };
    expect(chosenValues(typed, undefined, { type: 1, preset: GROQ })).toMatchObject({
      baseUrl: 'http://own',
      name: 'Mine',
      models: ['m'],
      vendor: { disable_store: true, preset: 'groq' },
    });
  });

  it('takes the values of the preset before away', () => {
    const filled = chosenValues(EMPTY, undefined, { type: 1, preset: GROQ });
    expect(chosenValues(filled, GROQ, { type: 1, preset: VLLM })).toEqual({
      ...EMPTY,
      vendor: { responses_path: '', preset: 'vllm' },
      name: 'vLLM',
    });
    expect(chosenValues(filled, GROQ, { type: 14 })).toEqual({
      ...EMPTY,
      type: '14',
      vendor: { responses_path: '', preset: '' },
    });
  });

  it('finds the preset of a stored channel of its type', () => {
    const settings = '{"preset":"groq"}';
    expect(presetOfChannel([GROQ], aChannel({ settings }))).toBe(GROQ);
    expect(presetOfChannel([GROQ], aChannel({ type: 14, settings }))).toBeUndefined();
    expect(presetOfChannel([GROQ], aChannel({ settings: '{"preset":"gone"}' }))).toBeUndefined();
    expect(presetOfChannel([GROQ], aChannel({ settings: '' }))).toBeUndefined();
  });
});
