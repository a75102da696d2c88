interface JestReport {
  readonly testResults: readonly object[];
}

export function filesToLookAtAgain(report: JestReport): string[];
export function withSecondLook(
  first: JestReport,
  again: JestReport,
): { readonly result: object; readonly unsteady: string[] };
