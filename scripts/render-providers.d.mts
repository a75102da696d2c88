export function renderProviders(registries: {
  readonly dialects: readonly object[];
  readonly providers: readonly object[];
  readonly names: ReadonlyMap<number, string>;
  readonly stream: object;
}): string;
export function plainCall<Call>(apiFormat: object): Call;
export function wiresOf<ApiFormat>(
  operation: string,
  registries: { readonly dialects: readonly object[]; readonly providers: readonly object[] },
): {
  readonly front: readonly ApiFormat[];
  readonly back: readonly ApiFormat[];
  readonly everyBack: readonly ApiFormat[];
};
