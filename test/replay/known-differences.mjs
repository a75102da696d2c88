/**
 * The reviewed table: what a dialect cannot express, or what two packages count in different ways. A difference that is
 * not in it is a fault of the gateway.
 * @type {{fields: string[], vendor?: RegExp, dialect?: RegExp, recording?: RegExp, when?: Function, reason: string}[]}
 */
export const KNOWN_DIFFERENCES = [
  {
    fields: ['usage.input', 'usage.output'],
    vendor: /^amazon-bedrock$/,
    when: (direct) => direct === undefined || direct === null,
    reason: 'the recording reports no usage; the gateway shows what it counted itself and charges',
  },
  {
    fields: ['usage.cacheRead'],
    vendor: /^cohere$/,
    when: (direct) => direct === undefined || direct === null,
    reason: 'the vendor reports cached_tokens, and its package does not read them',
  },
  {
    fields: ['reasoning'],
    vendor: /^cohere$/,
    recording: /tool-call/,
    when: (direct) => direct === '',
    reason:
      'what the vendor calls the plan of its tool calls is told as reasoning; its package leaves it out',
  },
];
