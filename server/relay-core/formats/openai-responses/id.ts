/** Key of this wire in vendor options and registries. */
export const RESPONSES_WIRE = 'openai-responses';
