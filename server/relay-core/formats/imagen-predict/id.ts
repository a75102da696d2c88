/** Key of this wire in vendor options and registries. */
export const IMAGEN_FORMAT = 'imagen-predict';
