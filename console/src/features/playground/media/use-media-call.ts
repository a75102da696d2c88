import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type CallPath, openCall } from '../../../api/open-call';
import { failureOf } from '../chat/failure-of';
import type { Failure } from '../chat/messages';

export interface MediaAnswer {
  readonly requestId: string;
  readonly totalMs: number;
  readonly content: Blob;
}

/** One call whose answer is a file or a document, as a whole. */
export function useMediaCall(path: CallPath) {
  const running = useRef<AbortController>(undefined);
  const call = useMutation({
    networkMode: 'always',
    meta: { failure: 'inline' },
    mutationFn: async (body: Readonly<Record<string, unknown>>): Promise<MediaAnswer> => {
      const startedMs = performance.now();
      const controller = new AbortController();
      running.current = controller;
      const response = await openCall(path, body, controller.signal);
      const content = await response.blob();
      return {
        requestId: response.headers.get('x-request-id') ?? '',
        totalMs: performance.now() - startedMs,
        content,
      };
    },
  });
  useEffect(() => () => running.current?.abort(), []);
  const isStopped = call.error instanceof Error && call.error.name === 'AbortError';
  const failure: Failure | undefined = call.error === null || isStopped ? undefined : failureOf(call.error);
  return { call, failure, stop: () => running.current?.abort() };
}
