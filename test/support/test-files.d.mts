export const TEST_GLOBS: Readonly<
  Record<'unit' | 'integration' | 'console' | 'clients' | 'browser', readonly string[]>
>;

export function filesByPart(root: string): Record<string, string[]>;

export function chooseFiles(
  patterns: readonly string[],
  files: Record<string, string[]>,
  root: string,
): { chosen: Record<string, string[]>; unknown: { pattern: string; nearest: string[] }[] };
