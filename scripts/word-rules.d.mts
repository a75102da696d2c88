export const COMMENT_RULES: readonly {
  readonly name: string;
  readonly pattern: RegExp;
  readonly advice: string;
}[];

/** Pattern of the files that the rules read. */
export const SOURCE_FILES: string;

/** Faults of comments and test titles in order of lines. `path` counts from the repository's root. */
export function wordFaults(
  path: string,
  text: string,
): { readonly line: number; readonly rule: string; readonly advice: string }[];

/** Declarations of the server and the console whose name is not a term of the field. */
export function privateNames(path: string, text: string): { readonly line: number; readonly name: string }[];

/** One line per fault: place, rule, advice. */
export function wordReport(path: string, text: string): string[];
