export function readTests(root: string): { readonly path: string; readonly text: string }[];
