/** Key of this format in vendor options and registries. */
export const CHAT_FORMAT = 'openai-chat';
