/** Key of this format in vendor options and registries. */
export const BAIDU_CHAT_FORMAT = 'baidu-chat';
