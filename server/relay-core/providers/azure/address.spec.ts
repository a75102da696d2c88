import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../../test/support/memory-ports.js';
import type { Route } from '../../ports/channel-picker.js';
import { azureAddress, azureKeyHeader, azureResponsesAddress } from './address.js';

describe('Azure', () => {
  const route = (changes: Partial<Route>): Route =>
    aRoute({ channelType: 3, upstreamModel: 'my dep', ...changes });
  const valueOf = (address: ReturnType<typeof azureAddress>) =>
    address.ok ? address.value : address.error.kind;

  it.each([
    [
      'https://r.openai.azure.com/',
      '',
      'https://r.openai.azure.com/openai/deployments/my%20dep/chat/completions?api-version=2025-04-01-preview',
    ],
    [
      'https://r.openai.azure.com',
      '2024-10-21',
      'https://r.openai.azure.com/openai/deployments/my%20dep/chat/completions?api-version=2024-10-21',
    ],
    [
      'https://r.openai.azure.com',
      'x&y=1',
      'https://r.openai.azure.com/openai/deployments/my%20dep/chat/completions?api-version=2025-04-01-preview',
    ],
    ['https://r.openai.azure.com/openai/v1', '', 'https://r.openai.azure.com/openai/v1/chat/completions'],
    [
      'https://gateway.ai.cloudflare.com/a/g/azure-openai/r/d',
      '2024-10-21',
      'https://gateway.ai.cloudflare.com/a/g/azure-openai/r/d/chat/completions?api-version=2024-10-21',
    ],
    ['', '', 'upstream-unreachable'],
  ])('%s %s → %s', (baseUrl, other, expected) => {
    expect(valueOf(azureAddress('/v1/chat/completions', route({ baseUrl, other })))).toBe(expected);
  });

  it.each([
    ['https://r.openai.azure.com', {}, 'https://r.openai.azure.com/openai/v1/responses?api-version=preview'],
    [
      'https://r.cognitiveservices.azure.com',
      {},
      'https://r.cognitiveservices.azure.com/openai/responses?api-version=2025-04-01-preview',
    ],
    [
      'https://r.openai.azure.com',
      { azure_responses_version: '2025-03-01-preview' },
      'https://r.openai.azure.com/openai/v1/responses?api-version=2025-03-01-preview',
    ],
    ['https://r.openai.azure.com/openai/v1', {}, 'https://r.openai.azure.com/openai/v1/responses'],
  ])('Responses at %s %j → %s', (baseUrl, vendor, expected) => {
    expect(valueOf(azureResponsesAddress(route({ baseUrl, other: '', settings: { vendor } })))).toBe(
      expected,
    );
  });

  it('takes keys of the resource and tokens of the directory', () => {
    expect(azureKeyHeader('0123abcd')).toEqual({ 'api-key': '0123abcd' });
    expect(azureKeyHeader('eyJ0.eyJz.sig')).toEqual({ authorization: 'Bearer eyJ0.eyJz.sig' });
    expect(azureKeyHeader('Bearer tok')).toEqual({ authorization: 'Bearer tok' });
  });
});
