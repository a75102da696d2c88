/** Result of an action: `done`, or the code of its refusal. */
export const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'done',
    (error: { readonly code?: string }) => error.code ?? String(error),
  );
