import { type ConnectClient, command, envLines, file, jsonFile, quoted } from './connect-client.ts';

/** Programs of the terminal that write code. */
export const AGENT_CLIENTS: readonly ConnectClient[] = [
  {
    id: 'claude-code',
    prefers: /claude/i,
    name: 'Claude Code',
    family: 'agent',
    evidence: { kind: 'tested', version: '2.1.197' },
    note: 'merge',
    parts: ({ address, key, model }) => [
      jsonFile('~/.claude/settings.json', {
        env: {
          ANTHROPIC_BASE_URL: address,
          ANTHROPIC_AUTH_TOKEN: key,
          // It asks for other models beside the main one; each has to be one that this key may call.
          ANTHROPIC_MODEL: model,
          ANTHROPIC_DEFAULT_OPUS_MODEL: model,
          ANTHROPIC_DEFAULT_SONNET_MODEL: model,
          ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
          CLAUDE_CODE_SUBAGENT_MODEL: model,
        },
      }),
      command('claude'),
    ],
  },
  {
    id: 'codex',
    prefers: /^(?:gpt|o\d|codex)/i,
    name: 'Codex',
    family: 'agent',
    evidence: { kind: 'tested', version: '0.171.0' },
    note: 'merge',
    parts: ({ address, key, model }) => [
      file('~/.codex/config.toml', [
        `model = ${quoted(model)}`,
        'model_provider = "tollgate"',
        '',
        '[model_providers.tollgate]',
        'name = "Tollgate"',
        `base_url = ${quoted(`${address}/v1`)}`,
        'env_key = "TOLLGATE_API_KEY"',
        'wire_api = "responses"',
      ]),
      file('~/.codex/.env', envLines({ TOLLGATE_API_KEY: key })),
      command('codex'),
    ],
  },
  {
    id: 'gemini-cli',
    prefers: /gemini/i,
    name: 'Gemini CLI',
    family: 'agent',
    evidence: { kind: 'tested', version: '0.61.0' },
    note: 'merge',
    parts: ({ address, key, model }) => [
      file(
        '~/.gemini/.env',
        envLines({ GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: key, GEMINI_MODEL: model }),
      ),
      jsonFile('~/.gemini/settings.json', { security: { auth: { selectedType: 'gemini-api-key' } } }),
      command('gemini'),
    ],
  },
  {
    id: 'opencode',
    name: 'opencode',
    family: 'agent',
    evidence: { kind: 'tested', version: '1.18.33' },
    note: 'merge',
    parts: ({ address, key, model }) => [
      jsonFile('~/.config/opencode/opencode.json', {
        $schema: 'https://opencode.ai/config.json',
        model: `tollgate/${model}`,
        small_model: `tollgate/${model}`,
        provider: {
          tollgate: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Tollgate',
            options: { baseURL: `${address}/v1`, apiKey: '{file:~/.config/opencode/tollgate-key}' },
            models: { [model]: { name: model } },
          },
        },
      }),
      file('~/.config/opencode/tollgate-key', [key]),
      command('opencode'),
    ],
  },
  {
    id: 'qwen-code',
    prefers: /qwen/i,
    name: 'Qwen Code',
    family: 'agent',
    evidence: { kind: 'tested', version: '0.24.4' },
    note: 'merge',
    parts: ({ address, key, model }) => [
      jsonFile('~/.qwen/settings.json', {
        env: { OPENAI_BASE_URL: `${address}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: model },
        security: { auth: { selectedType: 'openai' } },
      }),
      command('qwen'),
    ],
  },
  {
    id: 'cline-cli',
    name: 'Cline (terminal)',
    family: 'agent',
    evidence: { kind: 'tested', version: '3.0.65' },
    note: 'merge',
    parts: ({ address, key, model }) => [
      jsonFile('~/.cline/data/settings/providers.json', {
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: {
              provider: 'openai-compatible',
              apiKey: key,
              model,
              baseUrl: `${address}/v1`,
            },
            updatedAt: '2026-11-29T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
      command('cline'),
    ],
  },
];
