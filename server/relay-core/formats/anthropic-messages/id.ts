/** Key of this wire in vendor options and registries. */
export const MESSAGES_FORMAT = 'anthropic-messages';
