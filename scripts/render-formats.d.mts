export function renderFormats(registries: {
  readonly dialects: readonly object[];
  readonly providers: readonly object[];
  readonly names: ReadonlyMap<number, string>;
  readonly profiles: readonly object[];
  readonly rootForms: readonly string[];
}): string;
