/** Key of this format in vendor options and registries. */
export const OLLAMA_CHAT_FORMAT = 'ollama-chat';
