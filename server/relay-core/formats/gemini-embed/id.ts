/** Keys of these formats in vendor options and registries: one text, several texts, and Vertex's form for both. */
export const EMBED_FORMAT = 'gemini-embed';
export const EMBED_BATCH_FORMAT = 'gemini-embed-batch';
export const VERTEX_EMBED_FORMAT = 'vertex-embed';
