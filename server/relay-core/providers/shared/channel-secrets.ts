import type { Route } from '../../ports/channel-picker.js';

/** Texts to hide from callers: the key, and the channel's real address. */
export function secretsOf(route: Route): readonly string[] {
  const secrets = [route.credential];
  if (URL.canParse(route.baseUrl)) secrets.push(new URL(route.baseUrl).hostname);
  return secrets;
}
