interface TestFile {
  readonly path: string;
  readonly text: string;
}

export function filesByRisk(files: readonly TestFile[]): Map<string, Set<string>>;

export function withRisks(document: string): string;
