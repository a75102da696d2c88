/** Key of this wire in vendor options and registries. */
export const COMPLETIONS_FORMAT = 'openai-completions';
