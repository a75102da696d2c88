/** Key of this wire in vendor options and registries. */
export const OLLAMA_CHAT_FORMAT = 'ollama-chat';
