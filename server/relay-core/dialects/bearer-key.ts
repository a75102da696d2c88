const BEARER = /^bearer[ \t]+(\S+)$/i;

/** The key of an `Authorization` header; undefined when it does not read "Bearer" and one key. */
export const bearerKey = (authorization: string): string | undefined =>
  BEARER.exec(authorization.trim())?.[1];
