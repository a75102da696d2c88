import { type ConnectClient, envLines, fields, file } from './connect-client.ts';

const READ_ON = '2026-11-29';
const read = (link: string) => ({ kind: 'read', day: READ_ON, link }) as const;

/** Applications with settings of their own, by the names of their fields. */
export const APPLICATION_CLIENTS: readonly ConnectClient[] = [
  {
    id: 'cline',
    name: 'Cline / Roo Code',
    family: 'application',
    evidence: read('https://docs.cline.bot/provider-config/openai-compatible'),
    parts: ({ address, key, model }) => [
      fields({
        'API Provider': 'OpenAI Compatible',
        'Base URL': `${address}/v1`,
        'API Key': key,
        'Model ID': model,
      }),
    ],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    family: 'application',
    evidence: read('https://developers.cloudflare.com/ai-gateway/integrations/coding-agents/cursor/'),
    note: 'publicAddress',
    parts: ({ address, key, model }) => [
      fields({
        'OpenAI API Key': key,
        'Override OpenAI Base URL': `${address}/v1`,
        'Add Custom Model': model,
      }),
    ],
  },
  {
    id: 'open-webui',
    name: 'Open WebUI',
    family: 'application',
    evidence: read(
      'https://docs.openwebui.com/getting-started/quick-start/connect-a-provider/starting-with-openai/',
    ),
    parts: ({ address, key }) => [
      fields({ URL: `${address}/v1`, 'API Key': key }),
      file('open-webui.env', envLines({ OPENAI_API_BASE_URL: `${address}/v1`, OPENAI_API_KEY: key })),
    ],
  },
  {
    id: 'cherry-studio',
    name: 'Cherry Studio',
    family: 'application',
    evidence: read('https://docs.cherry-ai.com/jp/pre-basic/providers/newapi'),
    note: 'apiHost',
    parts: ({ address, key, model }) => [
      fields({ 'Provider type': 'OpenAI', 'API Key': key, 'API Host': address, Model: model }),
    ],
  },
  {
    id: 'lobechat',
    name: 'LobeChat',
    family: 'application',
    evidence: read('https://lobehub.com/docs/self-hosting/environment-variables/model-provider'),
    parts: ({ address, key, model }) => [
      file(
        'lobe-chat.env',
        envLines({
          OPENAI_PROXY_URL: `${address}/v1`,
          OPENAI_API_KEY: key,
          OPENAI_MODEL_LIST: `-all,+${model}`,
        }),
      ),
    ],
  },
  {
    id: 'n8n',
    name: 'n8n',
    family: 'application',
    evidence: read('https://docs.n8n.io/integrations/builtin/credentials/openai.md'),
    parts: ({ address, key, model }) => [
      fields({ Credential: 'OpenAI', 'API Key': key, 'Base URL': `${address}/v1`, Model: model }),
    ],
  },
  {
    id: 'dify',
    name: 'Dify',
    family: 'application',
    evidence: read('https://docs.dify.ai/versions/3-0-x/en/user-guide/model-configuration/readme'),
    parts: ({ address, key, model }) => [
      fields({
        'Model Provider': 'OpenAI-API-compatible',
        'Model Type': 'LLM',
        'Model Name': model,
        'API Key': key,
        'API endpoint URL': `${address}/v1`,
      }),
    ],
  },
];
