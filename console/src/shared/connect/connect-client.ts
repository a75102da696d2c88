/** Values that a client is configured with. */
export interface ConnectInput {
  /** Address of the gateway without /v1 and without a slash at the end. */
  readonly address: string;
  /** With its sk- prefix. */
  readonly key: string;
  readonly model: string;
}

/** One step of a configuration. The key stands in files and fields, never in a command. */
export type ConnectPart =
  /** A file with its whole content; `path` as people write it, `download` as a browser saves it. */
  | { readonly kind: 'file'; readonly path: string; readonly download: string; readonly text: string }
  /** To be run in a terminal after the files are there. */
  | { readonly kind: 'command'; readonly text: string }
  /** To be typed into the settings of an application, by the names that it shows. */
  | { readonly kind: 'fields'; readonly fields: readonly ConnectField[] };

export interface ConnectField {
  readonly label: string;
  readonly value: string;
}

/** Version that our tests ran with this configuration, or page and day it was read from. */
export type ConnectEvidence =
  | { readonly kind: 'tested'; readonly version: string }
  | { readonly kind: 'read'; readonly day: string; readonly link: string };

/** Hint beside the configuration; the console has a text for each. */
export type ConnectNote = 'publicAddress' | 'merge' | 'apiHost';

export interface ConnectClient {
  readonly id: string;
  /** Name as its makers write it. */
  readonly name: string;
  readonly family: 'agent' | 'application' | 'package';
  readonly evidence: ConnectEvidence;
  readonly note?: ConnectNote;
  /** Names of the models that the client is made for: one of them is chosen first where the key may call one. */
  readonly prefers?: RegExp;
  readonly parts: (input: ConnectInput) => readonly ConnectPart[];
}

/** @param path  as people write it; the browser saves it under its last part, without a dot in front */
export const file = (path: string, lines: readonly string[]): ConnectPart => ({
  kind: 'file',
  path,
  download: (path.split('/').at(-1) ?? path).replace(/^\./, ''),
  text: `${lines.join('\n')}\n`,
});

export const command = (...lines: readonly string[]): ConnectPart => ({
  kind: 'command',
  text: lines.join('\n'),
});

export const fields = (rows: Readonly<Record<string, string>>): ConnectPart => ({
  kind: 'fields',
  fields: Object.entries(rows).map(([label, value]) => ({ label, value })),
});

/** A JSON file with two blanks of indent. */
export const jsonFile = (path: string, value: unknown): ConnectPart =>
  file(path, JSON.stringify(value, undefined, 2).split('\n'));

/** Lines `NAME=value` that shells, dotenv and Node's --env-file read alike. */
export const envLines = (values: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(values).map(([name, value]) => `${name}=${envValue(value)}`);

const envValue = (value: string): string => {
  if (/^[\w.:/@+-]*$/.test(value)) return value;
  return value.includes("'") ? JSON.stringify(value) : `'${value}'`;
};

/** Text of a source file in Python, JavaScript or TOML: all three read JSON's. */
export const quoted = (text: string): string => JSON.stringify(text);
