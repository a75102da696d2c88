/** A task that is not finished after this long is given up. */
export const TASK_LIMIT_MS = 3_600_000;

/** Why a task failed, where no upstream says so. */
export const OVERDUE = 'The upstream did not finish the task within one hour.';
export const CHANNEL_GONE = 'The channel that took the task on does not exist any more.';
export const UNNAMED = 'The upstream gave the task no name, so that nobody can ask about it.';
export const NO_REASON_GIVEN = 'The upstream did not say why.';
