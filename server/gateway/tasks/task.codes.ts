/** The states no news changes any more. */
export const TASK_STATUS = { success: 'SUCCESS', failure: 'FAILURE' } as const;

/** Every kind of final state, in SQL; the same words as in the indexes, so that they are used. */
export const IS_UNFINISHED = `status <> 'SUCCESS' AND status <> 'FAILURE'`;

export const isFinished = (status: string): boolean =>
  status === TASK_STATUS.success || status === TASK_STATUS.failure;

/** Longest `mj_id` and `task_id` there are. */
export const MAX_TASK_ID_CHARACTERS = 128;
