/** Key of this wire in vendor options and registries. */
export const CONVERSE_FORMAT = 'bedrock-converse';
