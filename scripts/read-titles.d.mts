export interface TestTitle {
  readonly path: string;
  readonly title: string;
  /** The nearest title it stands under. */
  readonly under: string;
}

export function readTitles(files: readonly { readonly path: string; readonly text: string }[]): TestTitle[];
