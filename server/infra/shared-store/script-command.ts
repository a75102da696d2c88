/**
 * Keys and arguments of a script as Redis reads them from the connection. A general client looks at every part of every command;
 * what is the same for many calls is written out once here, and a command is a few texts put side by side.
 */
export class ScriptCommand {
  /** Key that places the script in a cluster. */
  readonly firstKey: string;
  private keys = '';
  private keyCount = 0;
  private args = '';
  private argCount = 0;

  constructor(firstKey: string) {
    this.firstKey = firstKey;
  }

  static of(keys: readonly string[], args: readonly (string | number)[]): ScriptCommand {
    const text = new ScriptCommand(keys[0] ?? '');
    text.addKeys(encodeParts(keys));
    text.addArgs(encodeParts(args));
    return text;
  }

  addKeys({ text, count }: EncodedParts): void {
    this.keys += text;
    this.keyCount += count;
  }

  addArgs({ text, count }: EncodedParts): void {
    this.args += text;
    this.argCount += count;
  }

  addArg(value: string | number): void {
    this.args += encodePart(value);
    this.argCount += 1;
  }

  /** @param name  EVALSHA or EVAL. @param script  what it takes: the script's name, or the script */
  command(name: string, script: string): string {
    const { keys, keyCount, args, argCount } = this;
    const head = encodePart(name) + encodePart(script) + encodePart(keyCount);
    return `*${3 + keyCount + argCount}\r\n${head}${keys}${args}`;
  }
}

/** Parts of a command, one behind the other. */
export interface EncodedParts {
  readonly text: string;
  readonly count: number;
}

export const encodeParts = (values: readonly (string | number)[]): EncodedParts => ({
  text: values.map(encodePart).join(''),
  count: values.length,
});

function encodePart(value: string | number): string {
  if (typeof value === 'string') return `$${Buffer.byteLength(value)}\r\n${value}\r\n`;
  const text = String(value);
  return `$${text.length}\r\n${text}\r\n`;
}
