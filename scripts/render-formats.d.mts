export function renderFormats(registries: {
  readonly dialects: readonly object[];
  readonly providers: readonly object[];
  readonly names: ReadonlyMap<number, string>;
  readonly rootForms: readonly string[];
}): string;
