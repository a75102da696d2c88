import { describe, expect, it } from '@jest/globals';
import { CHANNEL_TYPE_NAMES } from '../../../relay-core/providers/registry.js';
import { providerName } from './relay-watch.js';

describe('providerName', () => {
  it.each([
    [1, 'openai'],
    [3, 'azure.ai.openai'],
    [14, 'anthropic'],
    [24, 'gcp.gemini'],
    [33, 'aws.bedrock'],
    [41, 'gcp.vertex_ai'],
    [42, 'mistral_ai'],
    [48, 'x_ai'],
    [9_999, 'type_9999'],
  ])('calls type %i %s', (type, name) => {
    expect(providerName(type)).toBe(name);
  });

  it('gives every type a name for traces', () => {
    for (const type of CHANNEL_TYPE_NAMES.keys()) expect(providerName(type)).toMatch(/^[a-z0-9._]+$/);
  });
});
