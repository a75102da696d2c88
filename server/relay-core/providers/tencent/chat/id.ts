/** Key of this format in vendor options and registries. */
export const TENCENT_CHAT_FORMAT = 'tencent-chat';
