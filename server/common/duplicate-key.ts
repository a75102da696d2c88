/** State of one object or list while a document is walked. */
interface Level {
  /** Names so far; undefined = a list. */
  readonly names: Set<string> | undefined;
  /** The next text is a name, not a value. */
  expectsName: boolean;
}

/**
 * The first name that one object of a JSON document has twice: a parser silently keeps the last.
 * @param text  JSON that parses; for anything else the answer means nothing
 */
export function findDuplicateKey(text: string): string | undefined {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const level = levels.at(-1);
    switch (text[at]) {
      case '{':
        levels.push({ names: new Set(), expectsName: true });
        break;
      case '[':
        levels.push({ names: undefined, expectsName: false });
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (level?.names !== undefined) level.expectsName = true;
        break;
      case '"': {
        const end = endOfText(text, at);
        if (level?.names !== undefined && level.expectsName) {
          const name = JSON.parse(text.slice(at, end)) as string;
          if (level.names.has(name)) return name;
          level.names.add(name);
          level.expectsName = false;
        }
        at = end - 1;
        break;
      }
      default:
    }
  }
  return undefined;
}

/** Behind the closing quote of the text that begins here. */
function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
