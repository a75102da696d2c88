/**
 * A text of a record as an address a browser may follow: http and https alone, or a path of this console's own host.
 * @returns undefined when it is anything else
 */
export function webAddress(text: string): string | undefined {
  const wanted = text.trim();
  // A path of this host; two slashes, or a backslash that browsers read as one, would name another.
  if (/^\/(?![/\\])/.test(wanted)) return wanted;
  if (!/^https?:\/\//i.test(wanted) || !URL.canParse(wanted)) return undefined;
  return new URL(wanted).href;
}
