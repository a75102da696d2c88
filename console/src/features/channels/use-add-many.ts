import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isApiError } from '../../api/api-error';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { needsFreshProof } from '../../shared/identity/needs-step-up';
import { useFreshly } from '../../shared/identity/step-up';
import { addChannel } from './api';
import type { CheckedRow } from './many-check';

export interface ManyResult {
  /** Rows that were sent so far, and all of them. */
  readonly done: number;
  readonly all: number;
  /** Names of the channels that were added, by the number of their row. */
  readonly added: ReadonlyMap<number, string>;
  /** Why rows were refused, by their number. */
  readonly failed: ReadonlyMap<number, string>;
}

/** Failures that every row after this one would meet as well. */
const stopsAll = (error: unknown): boolean =>
  needsFreshProof(error) || (isApiError(error) && [0, 401, 403, 429].includes(error.status));

/** Adds channels one after the other. Keys go from the rows into the requests, and are kept nowhere else. */
export function useAddMany() {
  const client = useQueryClient();
  const freshly = useFreshly();
  const errorText = useErrorText();
  const isStopped = useRef(false);
  const [progress, setProgress] = useState<ManyResult>();

  const run = async (rows: readonly CheckedRow[]): Promise<ManyResult> => {
    isStopped.current = false;
    const added = new Map<number, string>();
    const failed = new Map<number, string>();
    const now = (done: number): ManyResult => ({ done, all: rows.length, added, failed });
    setProgress(now(0));
    for (const [index, { row, values, body }] of rows.entries()) {
      if (isStopped.current) break;
      try {
        await freshly(() => addChannel(body));
        added.set(row.number, values.name);
      } catch (error) {
        failed.set(row.number, errorText(error));
        if (stopsAll(error)) break;
      }
      setProgress(now(index + 1));
    }
    await client.invalidateQueries({ queryKey: ['channels'] });
    setProgress(undefined);
    return now(added.size + failed.size);
  };
  return { progress, run, stop: () => (isStopped.current = true) };
}
