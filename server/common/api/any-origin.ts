import type { FastifyReply, FastifyRequest } from 'fastify';

/** Names of headers a browser asks for in a preflight, nothing else. */
const HEADER_LIST = /^[\w-]+(?:, ?[\w-]+)*$/;

/**
 * Pages of any origin may read this answer. For routes whose only login is a key in a header: cookies never
 * count there, so no page can act for another user.
 */
export function openToAnyOrigin(reply: FastifyReply): void {
  void reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', 'x-request-id, retry-after')
    .header('cross-origin-resource-policy', 'cross-origin');
}

/** Answers what browsers ask before they send a key: GET, with the headers they named. */
export function allowPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const asked = request.headers['access-control-request-headers'];
  openToAnyOrigin(reply);
  void reply
    .status(204)
    .header('access-control-allow-methods', 'GET')
    .header(
      'access-control-allow-headers',
      asked !== undefined && HEADER_LIST.test(asked) ? asked : 'authorization',
    )
    .header('access-control-max-age', '86400')
    .send();
}
