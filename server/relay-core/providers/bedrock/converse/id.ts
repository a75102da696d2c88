/** Key of this format in vendor options and registries. */
export const CONVERSE_FORMAT = 'bedrock-converse';
