/** What one proxy says of the request it got (RFC 7239, section 4, read 2026-11-25). */
export interface ForwardedElement {
  readonly for?: string;
  readonly host?: string;
  readonly proto?: string;
}

/**
 * One `name=value` with what may follow it: `;` and another pair, `,` and another element, or the end. Addresses with colons and
 * brackets are taken without the quotes they need: many proxies write them so.
 */
const PAIR =
  /[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)=(?:([!#$%&'*+.^_`|~\w:[\]-]+)|"((?:[^"\\]|\\.)*)"))?[ \t]*([;,]|$)/y;

/**
 * The elements of a `Forwarded` header, the nearest proxy's last.
 * @returns nothing when it cannot be read as a whole: then nobody said anything
 */
export function readForwarded(header: string): readonly ForwardedElement[] {
  const elements: ForwardedElement[] = [];
  let element: Record<string, string> | null = null;
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < header.length) {
    const match = PAIR.exec(header);
    if (match === null) return [];
    const [, name, token, quoted, mark] = match;
    if (name !== undefined) {
      element ??= {};
      const key = name.toLowerCase();
      // A member twice would mean two things to two readers.
      if (Object.hasOwn(element, key)) return [];
      element[key] = token ?? (quoted as string).replace(/\\(.)/g, '$1');
    }
    if (mark !== ';' && element !== null) {
      elements.push(element);
      element = null;
    }
  }
  if (element !== null) elements.push(element);
  return elements;
}
