declare const modules: Readonly<
  Record<string, { readonly what: string; readonly mayImport: readonly string[] }>
>;
export = modules;
