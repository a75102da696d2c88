export function renderWires(registries: {
  readonly dialects: readonly object[];
  readonly providers: readonly object[];
  readonly names: ReadonlyMap<number, string>;
  readonly profiles: readonly object[];
}): string;
