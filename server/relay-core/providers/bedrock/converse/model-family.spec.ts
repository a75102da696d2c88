import { describe, expect, it } from '@jest/globals';
import {
  familyOf,
  hasNativeSchema,
  refusesSampling,
  supportsCachePoints,
  supportsForcedTools,
  thinksAdaptively,
} from './model-family.js';

describe('familyOf', () => {
  it.each([
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic'],
    ['arn:aws:bedrock:us-east-1:123456789012:inference-profile/eu.amazon.nova-pro-v1:0', 'nova'],
    ['amazon.nova-lite-v1:0', 'nova'],
    ['mistral.mistral-large-2402-v1:0', 'mistral'],
    ['openai.gpt-oss-120b-1:0', 'openai'],
    ['meta.llama3-70b-instruct-v1:0', 'other'],
    ['amazon.titan-text-express-v1', 'other'],
  ])('takes %s for %s', (model, family) => {
    expect(familyOf(model)).toBe(family);
  });
});

describe('what models of Anthropic take', () => {
  it.each([
    ['anthropic.claude-sonnet-4-5', { thinks: false, refuses: false, schema: true }],
    ['anthropic.claude-opus-4-6', { thinks: true, refuses: false, schema: true }],
    ['anthropic.claude-opus-4-7', { thinks: true, refuses: true, schema: false }],
    ['anthropic.claude-sonnet-5', { thinks: true, refuses: true, schema: false }],
    ['anthropic.claude-3-5-sonnet', { thinks: false, refuses: false, schema: false }],
  ])('finds the features of %s: %j', (model, { thinks, refuses, schema }) => {
    expect(thinksAdaptively(model)).toBe(thinks);
    expect(refusesSampling(model)).toBe(refuses);
    expect(hasNativeSchema(model)).toBe(schema);
  });
});

describe('what other makers take', () => {
  it.each([
    ['amazon.nova-pro-v1:0', true, true],
    ['mistral.mistral-large-2402-v1:0', true, false],
    ['openai.gpt-oss-120b-1:0', false, false],
    ['anthropic.claude-sonnet-5-5', false, true],
  ])('lets %s take forced tools %p and cache points %p', (model, tools, cache) => {
    expect(supportsForcedTools(model)).toBe(tools);
    expect(supportsCachePoints(model)).toBe(cache);
  });
});
