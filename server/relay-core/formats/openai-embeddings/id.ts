/** Key of this wire in vendor options and registries. */
export const EMBEDDINGS_FORMAT = 'openai-embeddings';
