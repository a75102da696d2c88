import { describe, expect, it } from '@jest/globals';
import {
  CLAUDE_3,
  NOVA,
  neutralOf,
  write,
  writeBody,
  TOOL,
  CALL,
} from '../../../../../test/support/fixtures/bedrock-requests.fixture.js';

const CLAUDE_5 = 'global.anthropic.claude-opus-4-8';

describe('thinking in requests of Converse', () => {
  it('thinks by budget on older Claude models, inside the caller’s cap, without sampling settings', () => {
    const { body, warnings } = writeBody(
      { reasoning_effort: 'high', max_tokens: 4_000, temperature: 0.3 },
      CLAUDE_3,
    );
    expect(body['additionalModelRequestFields']).toEqual({
      thinking: { type: 'enabled', budget_tokens: 3_200 },
    });
    expect(body['inferenceConfig']).toEqual({ maxTokens: 4_000 });
    expect(warnings).toEqual(['temperature']);
    expect(writeBody({ reasoning_effort: 'high', max_tokens: 1_000 }, CLAUDE_3).warnings).toEqual([
      'reasoning',
    ]);
  });

  it('lets older Claude models think for who only asks to see thoughts, and not for who asks for nothing', () => {
    const fieldsOf = (summary: 'auto' | 'none') =>
      write({ ...neutralOf({}), reasoning: { summary } }, CLAUDE_3).body['additionalModelRequestFields'];
    expect(fieldsOf('auto')).toMatchObject({ thinking: { type: 'enabled' } });
    expect(fieldsOf('none')).toBeUndefined();
  });

  it('thinks by effort on newer Claude models, on gpt-oss and on Nova 2', () => {
    expect(writeBody({ reasoning_effort: 'xhigh' }, CLAUDE_5).body['additionalModelRequestFields']).toEqual({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'xhigh' },
    });
    expect(
      writeBody({ reasoning_effort: 'minimal' }, 'openai.gpt-oss-120b-1:0').body[
        'additionalModelRequestFields'
      ],
    ).toEqual({ reasoning_effort: 'low' });
    const nova = writeBody({ reasoning_effort: 'high', max_tokens: 9 }, 'us.amazon.nova-2-lite-v1:0').body;
    expect(nova['additionalModelRequestFields']).toEqual({
      reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' },
    });
    expect(nova).not.toHaveProperty('inferenceConfig');
  });

  describe('thoughts over turns', () => {
    const messages = (details: unknown): readonly unknown[] => [
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        tool_calls: [CALL],
        ...(details === undefined ? {} : { reasoning_details: details }),
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
    ];
    const details = [
      { type: 'reasoning.text', text: ' hm ', signature: 'sig', format: 'anthropic-claude-v1', index: 0 },
      { type: 'reasoning.encrypted', data: 'secret', format: 'anthropic-claude-v1', index: 1 },
    ];
    const body = (given: unknown) => ({ tools: [TOOL], reasoning_effort: 'high', messages: messages(given) });

    it('sends them back letter by letter with their signatures, before the call', () => {
      const written = writeBody(body(details), CLAUDE_3);
      expect((written.body['messages'] as readonly unknown[])[1]).toEqual({
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: ' hm ', signature: 'sig' } } },
          { reasoningContent: { redactedContent: 'secret' } },
          { toolUse: { toolUseId: 'call_1', name: 'weather', input: { city: 'Oslo' } } },
        ],
      });
      expect(written.warnings).toEqual([]);
    });

    it('switches them off for a turn whose client dropped them', () => {
      const written = writeBody(body(undefined), CLAUDE_3);
      expect(written.body).not.toHaveProperty('additionalModelRequestFields');
      expect(written.warnings).toEqual(['reasoning']);
    });

    it('does not send them to models of other families', () => {
      expect(JSON.stringify(writeBody(body(details), NOVA).body)).not.toContain('reasoningContent');
    });
  });
});
