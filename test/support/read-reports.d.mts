export function leftOutOf(report: { readonly testResults: readonly object[] }): string[];
