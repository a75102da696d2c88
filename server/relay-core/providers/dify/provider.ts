import { difyChat, difyCompletion, difyWorkflow } from './chat/index.js';
import { bearerHeaders, nativeOperation, type NativeVendor } from '../shared/native-operations.js';
import type { Provider, ProviderCall } from '../provider.js';

const VENDOR: NativeVendor = {
  defaultBaseUrl: 'https://api.dify.ai',
  ownPath: /\/v1(?:\/(?:chat-messages|completion-messages|workflows\/run))?$/,
};

/** The channel's switch, or its free field, names the kind of application behind its key; else a chat or agent application does. */
const isA =
  (word: string) =>
  ({ route }: ProviderCall): boolean => {
    const chosen = route.settings.vendor?.['dify_application'];
    const setting = typeof chosen === 'string' && chosen !== '' ? chosen : route.other;
    return setting.trim().toLowerCase() === word;
  };

/** Dify applications: https://docs.dify.ai/api-reference (read 2026-11-21). */
export const dify: Provider = {
  id: 'dify',
  channelTypes: [
    {
      code: 37,
      name: 'Dify',
      form: {
        keyExample: 'app-…',
        switches: [{ name: 'dify_application', choices: ['chat', 'completion', 'workflow'] }],
      },
    },
  ],
  operations: {
    chat: [
      nativeOperation(VENDOR, difyWorkflow, '/v1/workflows/run', { serves: isA('workflow') }),
      nativeOperation(VENDOR, difyCompletion, '/v1/completion-messages', { serves: isA('completion') }),
      nativeOperation(VENDOR, difyChat, '/v1/chat-messages'),
    ],
  },
  defaultBaseUrl: VENDOR.defaultBaseUrl,
  defaultModels: [],
  modelListAddress: () => undefined,
  modelListHeaders: (route) => bearerHeaders(route.credential, 'application/json'),
};
