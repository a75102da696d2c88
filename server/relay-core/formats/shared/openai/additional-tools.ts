import { documentOf, listOf, textOf, type Document } from '../fields/json-fields.js';

// Tools that Codex brings as an item of the input: OpenAI alone reads them there (https://github.com/mxyhi/token_proxy/issues/307, read 2026-11-30).

const TYPE = 'additional_tools';
const MARK = Buffer.from(`"${TYPE}"`);

export const isToolsItem = (item: Document): boolean => item['type'] === TYPE;

/** False = the bytes hold no such item. */
export const mayHoldToolsItem = (bytes: Buffer): boolean => bytes.includes(MARK);

/** Tools of a request: its own, and those of the items of its input whose names are new. */
export function allToolsOf(tools: unknown, input: unknown): readonly Document[] {
  const own = listOf(tools).map(documentOf);
  const added = listOf(input)
    .map(documentOf)
    .filter(isToolsItem)
    .flatMap((item) => listOf(item['tools']).map(documentOf));
  const names = new Set(own.map(nameOf));
  return [...own, ...added.filter((tool) => nameOf(tool) === undefined || !names.has(nameOf(tool)))];
}

const nameOf = (tool: Document): string | undefined => textOf(tool['name']);
