/** Key of this format in vendor options and registries. */
export const IMAGEN_FORMAT = 'imagen-predict';
