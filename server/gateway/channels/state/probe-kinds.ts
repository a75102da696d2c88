/** Ways a channel can be tested. */
export const PROBE_ENDPOINTS = [
  ...(['chat', 'completions', 'responses', 'messages', 'generate_content'] as const),
  ...(['embeddings', 'rerank', 'images', 'speech', 'transcriptions', 'moderations', 'realtime'] as const),
] as const;
export type ProbeEndpoint = (typeof PROBE_ENDPOINTS)[number];
/** Realtime is no call with one answer: see probe-session.ts. */
export type CallEndpoint = Exclude<ProbeEndpoint, 'realtime'>;

/** One way to test a channel. */
export interface ProbePlan {
  readonly model: string;
  readonly endpoint: ProbeEndpoint;
}
