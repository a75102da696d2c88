import { list, object, type Json } from './strict-vendors/story.js';

/** A request of an agent as the scripted vendor reads it. */
export interface AgentCall {
  /** Type of the channel, or the id of its preset. */
  readonly channel: number | string;
  readonly format: string;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

type Rule = (call: AgentCall) => string | undefined;

const toolsIn = ({ body }: AgentCall): readonly Json[] => list(body['tools']).map(object);
const turnsIn = ({ body }: AgentCall): readonly Json[] => list(body['messages']).map(object);
const roleOf = (turn: Json | undefined): string => String(turn?.['role'] ?? '');
const isFilled = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/**
 * Refusals as vendors worded them in public threads. They are written from the threads and name channels by number: nothing here reads the
 * descriptions that the gateway fits requests to.
 */
export const AGENT_REFUSALS: Readonly<Record<string, Rule>> = {
  // https://github.com/datapizza-labs/datapizza-ai/issues/98
  'Mistral 3230': (call) =>
    call.format === 'openai-chat' &&
    (call.channel === 42 || /mistral/.test(call.model)) &&
    turnsIn(call).some((turn, at, all) => roleOf(turn) === 'user' && roleOf(all[at - 1]) === 'tool')
      ? "Unexpected role 'user' after role 'tool'"
      : undefined,
  // https://github.com/langchain-ai/langchain/issues/34140
  'xAI content': (call) =>
    call.channel === 48 &&
    call.format === 'openai-chat' &&
    turnsIn(call).some(
      (turn) =>
        roleOf(turn) === 'assistant' && typeof turn['content'] !== 'string' && !isFilled(turn['content']),
    )
      ? 'Each message must have at least one content element.'
      : undefined,
  // https://github.com/BerriAI/litellm/issues/3736
  'empty turns': (call) =>
    call.format === 'openai-chat' &&
    [25, 26, 42, 43].includes(Number(call.channel)) &&
    turnsIn(call).some(
      (turn) => roleOf(turn) === 'assistant' && !isFilled(turn['content']) && !isFilled(turn['tool_calls']),
    )
      ? "content and tool_calls fields can't both be empty"
      : undefined,
  // https://github.com/rikkahub/rikkahub/issues/1433, https://github.com/can1357/oh-my-pi/pull/9169
  'DeepSeek images': (call) =>
    call.channel === 43 &&
    call.model.startsWith('deepseek-') &&
    /"(?:image_url|input_image)"|"type":"image"/.test(
      JSON.stringify([call.body['messages'], call.body['input']]),
    )
      ? 'unknown variant `image_url`, expected `text`'
      : undefined,
  // https://github.com/maximhq/bifrost/issues/3456
  'DeepSeek tools': (call) =>
    call.channel === 43 &&
    call.format === 'anthropic-messages' &&
    toolsIn(call).some(({ type }) => type === 'custom')
      ? 'tools[0]: unknown variant `custom`, expected `web_search_20250305` or `web_search_20260209`'
      : undefined,
  // https://github.com/ding113/claude-code-hub/issues/1262, https://github.com/QwenLM/qwen-code/issues/11834
  'MiniMax 2013': (call) =>
    call.channel === 35 &&
    toolsIn(call).some(
      (tool) =>
        object(tool['function'] ?? tool)[call.format === 'openai-chat' ? 'parameters' : 'input_schema'] ===
        undefined,
    )
      ? 'invalid params, function name or parameters is empty (2013)'
      : undefined,
  // https://github.com/anthropics/claude-code/issues/89211
  'deferred tools': (call) =>
    call.format === 'anthropic-messages' &&
    [17, 25, 35, 43, 48].includes(Number(call.channel)) &&
    toolsIn(call).some(({ defer_loading: deferred }) => deferred !== undefined)
      ? 'Deferred custom tools are only supported on Anthropic models'
      : undefined,
  // https://github.com/QuantumNous/new-api/issues/3041, https://github.com/tombii/better-ccflare/issues/47
  'betas of a cloud': ({ channel, body, headers }) => {
    if (channel !== 33 && channel !== 41) return undefined;
    const named = [
      ...list(body['anthropic_beta']).map(String),
      ...(headers['anthropic-beta'] ?? '').split(','),
    ];
    const unknown = named.find((name) =>
      /^(?:claude-code|oauth|prompt-caching-scope|thinking-token-count|advanced-tool-use)-/.test(name),
    );
    return unknown === undefined ? undefined : `invalid beta flag: ${unknown}`;
  },
  // https://github.com/anthropics/claude-code/issues/82549
  'members of a cloud': (call) =>
    (call.channel === 33 || call.channel === 41) &&
    (call.body['betas'] !== undefined ||
      toolsIn(call).some((tool) => tool['eager_input_streaming'] !== undefined))
      ? 'tools.0.custom.eager_input_streaming: Extra inputs are not permitted'
      : undefined,
  // https://github.com/diegosouzapw/OmniRoute/pull/4713
  'Claude Haiku 4.5': ({ format, model, body }) =>
    format === 'anthropic-messages' &&
    /haiku-4-5/.test(model) &&
    (object(body['thinking'])['type'] === 'adaptive' || object(body['output_config'])['effort'] !== undefined)
      ? 'adaptive thinking is not supported on this model'
      : undefined,
  // https://github.com/coder/coder/issues/28656
  'Responses tools': (call) =>
    call.format === 'openai-responses' &&
    !call.model.startsWith('gpt-') &&
    [17, 43, 45, 48, 'groq'].includes(call.channel) &&
    toolsIn(call).some(({ type }) =>
      ['namespace', 'custom', 'tool_search', 'local_shell'].includes(String(type)),
    )
      ? 'unknown tool type'
      : undefined,
  // https://github.com/vercel/ai/pull/8057, https://github.com/tashfeenahmed/freellmapi/issues/1070
  'members of messages': (call) =>
    ['groq', 'cerebras', 42].includes(call.channel) &&
    call.format === 'openai-chat' &&
    turnsIn(call).some(
      (turn) => turn['reasoning_content'] !== undefined || turn['thinking_blocks'] !== undefined,
    )
      ? "property 'reasoning_content' is unsupported"
      : undefined,
  // https://github.com/modelscope/modelscope/issues/1478
  'DashScope content': (call) =>
    call.channel === 17 &&
    call.format === 'openai-chat' &&
    turnsIn(call).some(
      ({ content }) =>
        list(content).length > 0 &&
        list(content).every(
          (part) => object(part)['type'] === 'text' && Object.keys(object(part)).length === 2,
        ),
    )
      ? "The content field's type should be `str` in messages."
      : undefined,
  // https://ai.google.dev/gemini-api/docs/function-calling and OpenAI's own "names must be unique"
  'names of tools': (call) => {
    const named = toolsIn(call)
      .flatMap((tool) =>
        Array.isArray(tool['functionDeclarations']) ? list(tool['functionDeclarations']).map(object) : [tool],
      )
      .map((tool) => object(tool['function'] ?? tool)['name'])
      .filter((name) => typeof name === 'string');
    if (new Set(named).size !== named.length) return 'Tool names must be unique.';
    const long = call.format === 'anthropic-messages' ? 128 : 64;
    return named.some((name) => name.length > long) ? 'Tool names are too long.' : undefined;
  },
};
