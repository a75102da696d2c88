import { describe, expect, it } from '@jest/globals';
import { readLiteLlm } from './read-litellm.js';

const read = (entry: object, name = 'm') =>
  readLiteLlm({ [name]: { litellm_provider: 'openai', ...entry } })?.[0];

describe('readLiteLlm', () => {
  it.each([undefined, [], {}, { m: { mode: 'chat' } }, { sample_spec: { litellm_provider: 'x' } }])(
    'does not take %j for the list',
    (document) => {
      expect(readLiteLlm(document)).toBeUndefined();
    },
  );

  it('makes prices per token prices per million, without rounding', () => {
    expect(
      read({ input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5, max_output_tokens: 16_384 }),
    ).toEqual({ model: 'm', provider: 'openai', input: 2.5, output: 10, maxOutput: 16_384 });
  });

  it('cuts the provider off the name', () => {
    expect(read({ input_cost_per_token: 1e-6 }, 'openai/gpt-x')).toMatchObject({ model: 'gpt-x' });
    expect(read({ input_cost_per_token: 1e-6 }, 'azure/gpt-x')).toMatchObject({ model: 'azure/gpt-x' });
  });

  it('reads prices of long calls, with the usual output price by default', () => {
    expect(
      read({
        input_cost_per_token: 1e-6,
        output_cost_per_token: 4e-6,
        input_cost_per_token_above_200k_tokens: 2e-6,
      }),
    ).toMatchObject({ tiers: [{ above: 200_000, input: 2, output: 4 }] });
  });

  it('reads prices per image and per minute of audio', () => {
    expect(read({ mode: 'image_generation', output_cost_per_image: 0.04 })).toMatchObject({ perCall: 0.04 });
    expect(read({ mode: 'audio_transcription', input_cost_per_second: 0.0001 })).toMatchObject({
      perAudioMinute: 0.006,
    });
  });

  it('names the field that prices a model without a price here', () => {
    expect(read({ output_cost_per_video_per_second: 0.5 })).toEqual({
      model: 'm',
      provider: 'openai',
      unsupported: 'priced by "output_cost_per_video_per_second", which cannot be expressed here',
    });
    expect(read({ input_cost_per_token: 0, output_cost_per_token: 1e-6 })).toHaveProperty('unsupported');
  });
});
