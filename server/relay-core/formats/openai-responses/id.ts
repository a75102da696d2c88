/** Key of this wire in vendor options and registries. */
export const RESPONSES_FORMAT = 'openai-responses';
