/** Key of this wire in vendor options and registries. */
export const MODERATION_FORMAT = 'openai-moderation';
