/** Parameters of a reset link. */
export interface ResetLink {
  readonly email: string;
  readonly token: string;
}

/** Reads a reset link from the fragment, which no server sees, or from the query, as older links have it. */
export function readResetLink(search: string, hash: string): ResetLink | null {
  for (const text of [hash.replace(/^#/, ''), search]) {
    const parameters = new URLSearchParams(text);
    const email = parameters.get('email') ?? '';
    const token = parameters.get('token') ?? '';
    if (email !== '' && token !== '') return { email, token };
  }
  return null;
}
