/** Key of this format in vendor options and registries. */
export const COHERE_CHAT_FORMAT = 'cohere-chat';
