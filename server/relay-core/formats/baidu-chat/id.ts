/** Key of this wire in vendor options and registries. */
export const BAIDU_CHAT_FORMAT = 'baidu-chat';
