/** Key of this wire in vendor options and registries. */
export const GENERATE_FORMAT = 'gemini-generate';
