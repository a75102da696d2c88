/** Key of this format in vendor options and registries. */
export const GENERATE_FORMAT = 'gemini-generate';
