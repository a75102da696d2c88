import type { components, paths } from './schema';

/** Shapes of the console API, as the server's own document names them. */
export type Schemas = components['schemas'];

/** `/api/token/{id}` → any text in place of `{id}`. */
type Filled<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Path;

type Route = Filled<keyof paths & `/api/${string}`>;

/** A path the server's document knows, in either slash form: calling one that does not exist does not compile. */
export type ApiPath = Route | `${Route}/`;
