/** Key of this wire in vendor options and registries. */
export const RERANK_FORMAT = 'rerank';
