/** What is asked of the gateway. An absent key in a provider's operations map means "not supported". */
export const OPERATIONS = ['chat', 'embed'] as const;
export type Operation = (typeof OPERATIONS)[number];
