/** Key of this format in vendor options and registries. */
export const RESPONSES_FORMAT = 'openai-responses';
