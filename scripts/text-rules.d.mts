export interface TextRule {
  readonly name: string;
  applies(path: string): boolean;
  readonly pattern: RegExp;
  readonly sentence: string;
}

export const TEXT_RULES: readonly TextRule[];

/** One line per fault: place, rule, sentence. `path` counts from the repository's root. */
export function textFaults(path: string, text: string): string[];
