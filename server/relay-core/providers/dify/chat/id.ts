/** Key of this family of formats in vendor options and registries. */
export const DIFY_FORMAT = 'dify-chat';

/** Kinds of application behind a key, each with its own address and body. */
export type DifyApplication = 'chat' | 'completion' | 'workflow';
