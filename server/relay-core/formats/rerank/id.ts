/** Key of this format in vendor options and registries. */
export const RERANK_FORMAT = 'rerank';
