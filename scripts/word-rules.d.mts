export const FINISHED_FOLDERS: readonly string[];

export const COMMENT_RULES: readonly {
  readonly name: string;
  readonly pattern: RegExp;
  readonly advice: string;
}[];

/** Maximum of faults by file; a file without a row may have none. */
export const ALLOWANCE: ReadonlyMap<string, number>;

/** Pattern of the files that the rules read. */
export const SOURCE_FILES: string;

/** Faults of comments and test titles in order of lines. `path` counts from the repository's root. */
export function wordFaults(
  path: string,
  text: string,
): { readonly line: number; readonly rule: string; readonly advice: string }[];

/** Declarations of the server and the console whose name is not a term of the field. */
export function privateNames(path: string, text: string): { readonly line: number; readonly name: string }[];

/** One line per fault, when the file has more than its row allows; else none. */
export function wordReport(path: string, text: string, allowance: ReadonlyMap<string, number>): string[];

/** Rows that no longer hold: the file is gone, clean, or in a finished folder. */
export function staleRows(
  allowance: ReadonlyMap<string, number>,
  read: (path: string) => string | undefined,
): string[];
