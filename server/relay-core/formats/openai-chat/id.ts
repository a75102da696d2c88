/** Key of this wire in vendor options and registries. */
export const CHAT_FORMAT = 'openai-chat';
