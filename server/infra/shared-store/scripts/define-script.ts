import { createHash } from 'node:crypto';

export interface RedisScript {
  readonly lua: string;
  /** Name under which Redis knows it once loaded. */
  readonly sha: string;
}

export const defineScript = (lua: string): RedisScript => ({
  lua,
  sha: createHash('sha1').update(lua).digest('hex'),
});
