import { isRecord, parseJson } from '../../shared/format/json';

/** Columns of a pasted row, in their order where no header names them. */
export const MANY_COLUMNS = [
  'provider',
  'key',
  'models',
  'name',
  'address',
  'priority',
  'group',
  'weight',
] as const;
export type ManyColumn = (typeof MANY_COLUMNS)[number];

/** Most rows of one paste. */
export const MAX_ROWS = 200;
/** Longest paste, in characters. */
export const MAX_LENGTH = 1_000_000;

export interface PastedRow {
  /** From 1, as in the preview. */
  readonly number: number;
  /** Text of the row, kept in the box when it fails. */
  readonly source: string;
  /** Cells by column, or the object as it was written. */
  readonly cells: Readonly<Partial<Record<ManyColumn, string>>> | Readonly<Record<string, unknown>>;
  /** Cells beyond the last column. */
  readonly hasMore: boolean;
}

export interface PastedRows {
  readonly kind: 'cells' | 'json';
  /** Line with the names of the columns; empty = there is none. */
  readonly header: string;
  readonly rows: readonly PastedRow[];
}

export type PasteFault = 'json' | 'tooLong' | 'tooMany';

/** Names under which a column stands in a header, in small letters. */
const HEADINGS: Readonly<Record<string, ManyColumn>> = {
  provider: 'provider',
  type: 'provider',
  服务商: 'provider',
  类型: 'provider',
  key: 'key',
  'api key': 'key',
  api_key: 'key',
  密钥: 'key',
  models: 'models',
  model: 'models',
  模型: 'models',
  name: 'name',
  名称: 'name',
  address: 'address',
  'base address': 'address',
  base_url: 'address',
  接口地址: 'address',
  地址: 'address',
  priority: 'priority',
  优先级: 'priority',
  group: 'group',
  groups: 'group',
  分组: 'group',
  weight: 'weight',
  权重: 'weight',
};

/** Reads pasted rows (tabs, commas or semicolons, with or without a header) or JSON. */
export function readPaste(text: string): PastedRows | PasteFault {
  if (text.length > MAX_LENGTH) return 'tooLong';
  const start = text.trimStart();
  const isJson = start.startsWith('[') || (start.startsWith('{') && parseJson(text) !== undefined);
  const pasted = isJson ? readJson(text) : readCells(text);
  if (pasted === undefined) return 'json';
  return pasted.rows.length > MAX_ROWS ? 'tooMany' : pasted;
}

/** The text that holds only these rows of a paste. */
export function pasteOf({ kind, header }: PastedRows, rows: readonly PastedRow[]): string {
  if (rows.length === 0) return '';
  const sources = rows.map(({ source }) => source);
  if (kind === 'json') return `[\n${sources.join(',\n')}\n]`;
  return [...(header === '' ? [] : [header]), ...sources].join('\n');
}

/** A list of channels, one channel, or the answer of a route that lists them. */
function readJson(text: string): PastedRows | undefined {
  const value = parseJson(text);
  const list = isRecord(value) && Array.isArray(value['data']) ? value['data'] : value;
  const items: unknown[] = Array.isArray(list) ? list : [list];
  if (!items.every((item) => isRecord(item))) return undefined;
  const rows = items.map((cells, index) => ({
    number: index + 1,
    source: JSON.stringify(cells, null, 2),
    cells,
    hasMore: false,
  }));
  return { kind: 'json', header: '', rows };
}

function readCells(text: string): PastedRows {
  const lines = splitLines(text, delimiterOf(text));
  const [first, ...others] = lines;
  const columns = first === undefined ? undefined : columnsOf(first.cells);
  const header = columns === undefined ? '' : (first?.source ?? '');
  const rows = (columns === undefined ? lines : others).map(({ cells, source }, index): PastedRow => {
    // A key alone on its line needs no columns.
    const aligned = columns === undefined && cells.length === 1 ? ['', ...cells] : cells;
    const order = columns ?? MANY_COLUMNS;
    return {
      number: index + 1,
      source,
      cells: Object.fromEntries(
        aligned.slice(0, order.length).flatMap((cell, at) => (cell === '' ? [] : [[order[at], cell]])),
      ),
      hasMore: aligned.slice(order.length).some((cell) => cell !== ''),
    };
  });
  return { kind: 'cells', header, rows };
}

/** Columns that a header names; undefined = the line is no header. */
function columnsOf(cells: readonly string[]): ManyColumn[] | undefined {
  const columns = cells.map((cell) => HEADINGS[cell.toLowerCase()]);
  const known = columns.filter((column) => column !== undefined);
  return known.length === cells.length && known.includes('key') ? known : undefined;
}

function delimiterOf(text: string): string {
  // Quoted delimiters are part of a value.
  const bare = text.replaceAll(/"[^"]*"/g, '');
  if (bare.includes('\t')) return '\t';
  return bare.includes(';') && !bare.includes(',') ? ';' : ',';
}

interface Line {
  readonly cells: readonly string[];
  readonly source: string;
}

/** Lines that are not empty, as RFC 4180 has them: a quoted cell may hold delimiters, line breaks and doubled quotes. */
function splitLines(text: string, delimiter: string): Line[] {
  const lines: Line[] = [];
  let cells: string[] = [];
  let start = 0;
  let at = 0;
  const endLine = (end: number) => {
    const source = text.slice(start, end).trim();
    if (source !== '') lines.push({ cells, source });
    cells = [];
    start = end + 1;
  };
  while (at < text.length) {
    const { cell, end } = readCell(text, at, delimiter);
    cells.push(cell);
    if (text[end] !== delimiter) endLine(end);
    // A delimiter at the end of the text opens one more, empty cell, which means nothing.
    else if (end + 1 === text.length) endLine(end + 1);
    at = end + 1;
  }
  return lines;
}

/** @returns the cell, and where the delimiter or line break behind it stands */
function readCell(text: string, from: number, delimiter: string): { cell: string; end: number } {
  let at = from;
  while (text[at] === ' ') at += 1;
  let quoted = '';
  if (text[at] === '"') {
    for (at += 1; at < text.length; at += 1) {
      if (text[at] !== '"') quoted += text[at];
      else if (text[at + 1] === '"') quoted += text[(at += 1)];
      else break;
    }
    at += 1;
  }
  let end = at;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end += 1;
  return { cell: (quoted + text.slice(at, end)).trim(), end };
}
