import { ollamaChat } from './chat/index.js';
import { ollamaEmbed } from './embed.js';
import { openaiChat } from '../../formats/openai-chat/index.js';
import {
  bearerHeaders,
  nativeAddress,
  nativeOperation,
  type NativeVendor,
} from '../shared/native-operations.js';
import { CONSERVATIVE } from '../shared/default-descriptions.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import type { Provider } from '../provider.js';

/** Templates of models decide: some raise an error at a `system` message that is not the first. */
const OLLAMA: VendorDescription = {
  ...CONSERVATIVE,
  source: { links: ['https://github.com/ollama/ollama/issues/17774'], read: '2026-11-29' },
};

const VENDOR: NativeVendor = {
  defaultBaseUrl: 'http://localhost:11434',
  // Typed with the version of its OpenAI-compatible paths, or with `/api`: both are parts of paths here.
  ownPath:
    /\/(?:v1|api)(?:\/(?:chat|chat\/completions|completions|responses|generate|embed|embeddings|models|tags))?$/,
};

/** Ollama: https://docs.ollama.com/api (read 2026-11-21). Clients of OpenAI's chat pass; all others come by its own grammar. */
export const ollama: Provider = {
  id: 'ollama',
  channelTypes: [{ code: 4, name: 'Ollama', form: { keyFormat: 'any', keyExample: 'ollama' } }],
  operations: {
    chat: [
      nativeOperation(VENDOR, ollamaChat, '/api/chat', {
        streamType: 'application/x-ndjson',
        needsBytes: () => true,
        describe: () => OLLAMA,
      }),
      {
        ...nativeOperation(VENDOR, openaiChat, '/v1/chat/completions'),
        edits: acceptsStreamOptions,
        describe: () => OLLAMA,
      },
    ],
    embed: [nativeOperation(VENDOR, ollamaEmbed, '/api/embed')],
  },
  defaultBaseUrl: VENDOR.defaultBaseUrl,
  defaultModels: ['llama3.2', 'qwen3', 'nomic-embed-text'],
  modelListAddress: (route) => nativeAddress(VENDOR, route.baseUrl, '/api/tags'),
  modelListHeaders: (route) => bearerHeaders(route.credential, 'application/json'),
};

function acceptsStreamOptions(): {
  readonly dropStreamOptions: boolean;
  readonly usesCompletionCap: boolean;
  readonly refusedMembers: readonly string[];
} {
  return { dropStreamOptions: false, usesCompletionCap: false, refusedMembers: [] };
}
