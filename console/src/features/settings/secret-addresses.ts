/** Secret → the address it is sent to: the server takes another address only together with the secret typed again. */
const ADDRESS_OF: ReadonlyMap<string, string> = new Map([
  ['oidc.client_secret', 'oidc.token_endpoint'],
  ['GitHubClientSecret', 'GitHubServerAddress'],
  ['LinuxDOClientSecret', 'LinuxDOServerAddress'],
  ['WeChatServerToken', 'WeChatServerAddress'],
  ['SMTPToken', 'SMTPServer'],
  ['EpayKey', 'PayAddress'],
  ['AlertWebhookSecret', 'AlertWebhookUrl'],
  ['StripeApiSecret', 'StripeApiAddress'],
]);

/** The secrets that are sent to an address. */
export const secretsOf = (address: string): readonly string[] =>
  [...ADDRESS_OF].flatMap(([secret, place]) => (place === address ? [secret] : []));

/** Changes of one call each: one alone, or an address with its secret. */
export function callsFor<Change extends { readonly key: string }>(
  changes: readonly Change[],
): readonly (readonly [Change, ...Change[]])[] {
  const keys = new Set(changes.map(({ key }) => key));
  const isWithAddress = ({ key }: Change): boolean => keys.has(ADDRESS_OF.get(key) ?? '');
  const secrets = changes.filter(isWithAddress);
  return changes
    .filter((change) => !isWithAddress(change))
    .map((change) => [change, ...secrets.filter(({ key }) => ADDRESS_OF.get(key) === change.key)]);
}
