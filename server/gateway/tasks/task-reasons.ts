import { TASK_REASONS } from '../../base/logs/task-reasons.js';

/** A task that is not finished after this long is given up. */
export const TASK_LIMIT_MS = 3_600_000;

/** Reasons of failed tasks that no upstream reports. */
export const OVERDUE = TASK_REASONS.overdue.en;
export const CHANNEL_GONE = TASK_REASONS.channelGone.en;
export const UNNAMED = TASK_REASONS.unnamed.en;
export const NO_REASON_GIVEN = TASK_REASONS.noReasonGiven.en;
