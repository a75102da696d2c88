export function renderProviders(registries: {
  readonly dialects: readonly object[];
  readonly providers: readonly object[];
  readonly stream: object;
}): string;
export function plainCall<Call>(wire: object): Call;
export function wiresOf<Wire>(
  operation: string,
  registries: { readonly dialects: readonly object[]; readonly providers: readonly object[] },
): { readonly front: readonly Wire[]; readonly back: readonly Wire[]; readonly everyBack: readonly Wire[] };
