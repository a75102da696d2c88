import { describe, expect, it } from '@jest/globals';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import { scanObject } from '../../framing/json-splice.js';
import type { Warning } from '../../model/warning.js';
import { deepseek } from '../../providers/openai-compatible/vendors/deepseek.js';
import { moonshot } from '../../providers/openai-compatible/vendors/moonshot.js';
import { given } from '../../formats/shared/fields/json-fields.js';
import { CONSERVATIVE, OPENAI_NEWEST } from '../../providers/shared/default-descriptions.js';
import { fitPassedBody, type PassedCall } from './fit-passed-body.js';

const { gateway } = new MemoryPorts();

function fitted(body: object, call: Partial<PassedCall> = {}) {
  const bytes = Buffer.from(JSON.stringify(body));
  const document = scanObject(bytes);
  if (typeof document === 'string') throw new Error(document);
  const warnings: Warning[] = [];
  const result = fitPassedBody(
    bytes,
    {
      document,
      format: 'openai-chat',
      isStreamed: false,
      outputCap: undefined,
      usesCompletionCap: false,
      upstreamModel: 'some-model',
      description: CONSERVATIVE,
      gateway,
      ...call,
    },
    warnings,
  );
  return {
    isSame: result === bytes,
    body: JSON.parse(result.toString()) as Record<string, unknown>,
    warnings: warnings.map(({ setting }) => setting),
  };
}

const messages = [{ role: 'user', content: 'q' }];

describe('fitPassedBody', () => {
  it.each([
    ['an ordinary call', { messages, max_tokens: 5, user: 'u', stream: true }],
    ['a call with a system message', { messages: [{ role: 'system', content: 'A' }, ...messages] }],
  ])('keeps the bytes of %s', (_name, body) => {
    expect(fitted(body)).toMatchObject({ isSame: true, warnings: [] });
  });

  it('keeps the bytes of OpenAI’s newest form for OpenAI', () => {
    const body = {
      messages: [{ role: 'developer', content: 'B' }, ...messages, { role: 'system', content: 'C' }],
      max_completion_tokens: 5,
      user: 'u',
    };
    expect(fitted(body, { description: OPENAI_NEWEST }).isSame).toBe(true);
  });

  it('names the first message that left its place', () => {
    const body = { messages: [...messages, { role: 'system', content: 'C' }] };
    expect(fitted(body)).toMatchObject({
      body: { messages: [{ role: 'system', content: 'C' }, ...messages] },
      warnings: ['messages.1'],
    });
  });

  it('writes the cap under the name that every server reads', () => {
    const body = { messages, max_completion_tokens: 7, max_tokens: 5 };
    expect(fitted(body, { outputCap: 7 }).body).toEqual({ messages, max_tokens: 7 });
    expect(fitted(body, { outputCap: 7, usesCompletionCap: true }).isSame).toBe(true);
  });

  it('replaces a long user in each client API', () => {
    const user = 'x'.repeat(150);
    const digest = gateway.digestOf(user);
    expect(fitted({ messages, user }).body).toEqual({ messages, user: digest });
    expect(fitted({ input: 'q', user }, { format: 'openai-responses' }).body).toEqual({
      input: 'q',
      user: digest,
    });
    const metadata = { user_id: user, trace: 1 };
    expect(fitted({ messages, metadata }, { format: 'anthropic-messages' }).body).toEqual({
      messages,
      metadata: { user_id: digest, trace: 1 },
    });
  });

  it('moves the user to the member of the vendor', () => {
    const description = { ...CONSERVATIVE, user: { max: 128, min: 6, member: 'user_id' as const } };
    expect(fitted({ messages, user: 'abcdef' }, { description }).body).toEqual({
      messages,
      user_id: 'abcdef',
    });
    expect(fitted({ messages, user: 'abcdef', user_id: '123456' }, { description }).body).toEqual({
      messages,
      user_id: '123456',
    });
  });

  it('names what the vendor does not take', () => {
    const description = {
      ...CONSERVATIVE,
      user: false as const,
      refusesTopK: true as const,
      serviceTiers: ['auto'],
    };
    expect(
      fitted({ messages, user: 'u', top_k: 1, service_tier: 'priority' }, { description }),
    ).toMatchObject({
      body: { messages },
      warnings: ['user', 'top_k', 'service_tier'],
    });
    expect(fitted({ messages, service_tier: 'auto' }, { description }).isSame).toBe(true);
  });

  it('switches thinking off in calls that may not have it', () => {
    const description = {
      ...CONSERVATIVE,
      streamedSwitches: ['enable_thinking'],
      thinksByDefault: /^qwen3-8b$/,
    };
    expect(fitted({ messages, enable_thinking: true }, { description })).toMatchObject({
      body: { messages },
      warnings: ['enable_thinking'],
    });
    expect(fitted({ messages }, { description, upstreamModel: 'qwen3-8b' })).toMatchObject({
      body: { messages, enable_thinking: false },
      warnings: [],
    });
    expect(fitted({ messages, enable_thinking: true }, { description, isStreamed: true }).isSame).toBe(true);
  });

  it('leaves out a choice of tools that the vendor has not', () => {
    const description = { ...CONSERVATIVE, toolChoices: ['auto'] as const };
    const tools = [{ type: 'function', function: { name: 'f' } }];
    expect(fitted({ messages, tools, tool_choice: 'auto' }, { description }).isSame).toBe(true);
    expect(fitted({ messages, tools, tool_choice: 'required' }, { description })).toMatchObject({
      body: { messages, tools },
      warnings: ['tool_choice'],
    });
    expect(fitted({ messages, tools, tool_choice: 'none' }, { description })).toMatchObject({
      body: { messages },
      warnings: [],
    });
  });
});

describe('a call that forces a tool at a model that thinks', () => {
  const named = { type: 'function', function: { name: 'f' } };
  const tools = [named];

  it.each([
    [deepseek, 'deepseek-v4-flash', 'required'],
    [deepseek, 'deepseek-chat-v4', named],
    [moonshot, 'kimi-k2.6', named],
    [moonshot, 'kimi-k2.5', 'required'],
  ])('keeps its choice and stops the thinking: $id %s', ({ description }, upstreamModel, choice) => {
    const asked = { messages, tools, tool_choice: choice, reasoning_effort: 'high' };
    const { body, warnings } = fitted(asked, { upstreamModel, ...given('description', description) });
    expect(body).toEqual({ messages, tools, tool_choice: choice, thinking: { type: 'disabled' } });
    expect(warnings).toEqual(['reasoning']);
  });

  it.each([
    [deepseek, 'deepseek-reasoner'],
    [moonshot, 'kimi-k2-thinking'],
    [moonshot, 'kimi-k2.7-code'],
  ])('leaves its choice out where thinking cannot be stopped: $id %s', ({ description }, upstreamModel) => {
    const asked = { messages, tools, tool_choice: 'required' };
    const { body, warnings } = fitted(asked, { upstreamModel, ...given('description', description) });
    expect(body).toEqual({ messages, tools });
    expect(warnings).toEqual(['tool_choice']);
  });

  it.each([
    [deepseek, 'deepseek-v4-pro', { tool_choice: 'auto' }],
    [deepseek, 'deepseek-v4-pro', { tool_choice: 'required', thinking: { type: 'disabled' } }],
    [deepseek, 'deepseek-chat', { tool_choice: 'required' }],
    [moonshot, 'kimi-k3', { tool_choice: 'required' }],
    [moonshot, 'moonshot-v1-8k', { tool_choice: named }],
  ])('passes where the vendor takes it: $id %s %j', ({ description }, upstreamModel, members) => {
    const passed = fitted(
      { messages, tools, ...members },
      { upstreamModel, ...given('description', description) },
    );
    expect(passed).toMatchObject({ isSame: true, warnings: [] });
  });
});
