/** Parts of an import that can be chosen. */
export const IMPORT_PARTS = ['users', 'tokens', 'channels', 'codes', 'orders', 'options'] as const;
export type ImportPart = (typeof IMPORT_PARTS)[number];
