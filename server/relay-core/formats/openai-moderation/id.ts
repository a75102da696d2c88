/** Key of this format in vendor options and registries. */
export const MODERATION_FORMAT = 'openai-moderation';
