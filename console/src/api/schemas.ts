import type { components } from './schema';

/** Shapes of the console API, as the server's own document names them. */
export type Schemas = components['schemas'];
