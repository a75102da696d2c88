export function describeInWords(description: object): string;
export function describedVendors(
  providers: readonly object[],
): readonly { readonly vendors: string; readonly text: string }[];
