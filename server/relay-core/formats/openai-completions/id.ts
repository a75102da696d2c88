/** Key of this format in vendor options and registries. */
export const COMPLETIONS_FORMAT = 'openai-completions';
