export interface Feature {
  readonly title: string;
}
export const REQUEST_FEATURES: readonly Feature[];
export const REPLY_FEATURES: readonly Feature[];
export function probeRequest(
  apiFormat: object,
  feature: Feature,
): { readonly verdict: 'carried' | 'refused' | 'warned' | 'silent'; readonly reason: string };
/** By format: titles of features its grammar has no words for, and why. */
export const NO_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>>;
export function probeReply(apiFormat: object, feature: Feature, call: object): boolean;
export function probeStream(apiFormat: object, feature: Feature, call: object, tools: object): boolean;
