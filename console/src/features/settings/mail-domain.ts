const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

/** Returns true for a lower-case mail domain, such as `example.com`: no address, no `@`, no wildcard. */
export function isDomain(text: string): boolean {
  return DOMAIN.test(text);
}
