/** Key of this API format in vendor options and registries. */
export const LIBRARY_FORMAT = 'library-chat';
