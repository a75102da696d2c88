/** Key of this format in vendor options and registries. */
export const EMBEDDINGS_FORMAT = 'openai-embeddings';
