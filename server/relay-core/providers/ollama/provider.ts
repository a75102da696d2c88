import { ollamaChat } from './chat/index.js';
import { ollamaEmbed } from './embed.js';
import { openaiChat } from '../../formats/openai-chat/index.js';
import {
  bearerHeaders,
  nativeAddress,
  nativeOperation,
  type NativeVendor,
} from '../shared/native-operations.js';
import type { Provider } from '../provider.js';

const VENDOR: NativeVendor = {
  defaultBaseUrl: 'http://localhost:11434',
  // Typed with the version of its OpenAI-compatible paths, or with `/api`: both are parts of paths here.
  ownPath:
    /\/(?:v1|api)(?:\/(?:chat|chat\/completions|completions|responses|generate|embed|embeddings|models|tags))?$/,
};

/** Ollama: https://docs.ollama.com/api (read 2026-11-21). Clients of OpenAI's chat pass; all others come by its own grammar. */
export const ollama: Provider = {
  id: 'ollama',
  typeCodes: [4],
  operations: {
    chat: [
      nativeOperation(VENDOR, ollamaChat, '/api/chat', {
        streamType: 'application/x-ndjson',
        needsBytes: () => true,
      }),
      { ...nativeOperation(VENDOR, openaiChat, '/v1/chat/completions'), edits: acceptsStreamOptions },
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
