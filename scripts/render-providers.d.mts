export function renderProviders(registries: {
  readonly dialects: readonly object[];
  readonly providers: readonly object[];
  readonly stream: object;
}): string;
export function plainCall<Call>(apiFormat: object): Call;
export function formatsOf<ApiFormat>(
  operation: string,
  registries: { readonly dialects: readonly object[]; readonly providers: readonly object[] },
): {
  readonly client: readonly ApiFormat[];
  readonly upstream: readonly ApiFormat[];
  readonly everyUpstream: readonly ApiFormat[];
};
