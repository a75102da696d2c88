import type { Route } from '../../ports/channel-picker.js';

/** What must not stand in a sentence for callers: the key, and where the channel really goes. */
export function secretsOf(route: Route): readonly string[] {
  const secrets = [route.credential];
  if (URL.canParse(route.baseUrl)) secrets.push(new URL(route.baseUrl).hostname);
  return secrets;
}
