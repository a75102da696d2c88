/** Key of this format in vendor options and registries. */
export const MESSAGES_FORMAT = 'anthropic-messages';
